package cli

import (
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/run"
)

// taskNamed is the task of that ID, or the only one when none was named.
func taskNamed(r *run.Record, id string) (*run.Task, error) {
	var ids []string
	for i := range r.Tasks {
		ids = append(ids, r.Tasks[i].ID)
	}
	if len(ids) == 0 {
		return nil, pending("run "+r.RunID+" has no tasks yet", "watch it with `tutti run watch "+r.RunID+"`")
	}
	all := "its tasks are " + strings.Join(ids, ", ")
	if id == "" {
		if len(ids) == 1 {
			return &r.Tasks[0], nil
		}
		return nil, usage(fmt.Sprintf("run %s has %d tasks", r.RunID, len(ids)), "name one: "+all)
	}
	if t := r.TaskByID(id); t != nil {
		return t, nil
	}
	return nil, usage(fmt.Sprintf("run %s has no task %q", r.RunID, id), all)
}

// pending says that what was asked for is not there yet.
func pending(message, next string) error {
	return &failure{code: ExitPlatform, message: message, next: next}
}
