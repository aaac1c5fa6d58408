package chain

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/tutti-dev/tutti/internal/canonical"
	"github.com/tutti-dev/tutti/internal/definition"
)

// The limits of a chain.
const (
	MaxTasks = 100
	MaxNeeds = 32
)

// Chain is a named graph of tasks.
type Chain struct {
	Name        string
	Description string
	Tasks       []Task
	// Source is the file, as messages name it, or the list.
	Source string
}

// Task is one specialist's turn in a chain.
type Task struct {
	ID  string
	Seq int
	// Specialist is a name; Needs are IDs of other tasks, as they were written.
	Specialist string
	Needs      []string
	// Backend, Provider and Model are empty where the chain leaves them open.
	Backend  string
	Provider string
	Model    string
	// OnUpstreamFailure is OnFailureSkip or OnFailureContinue, never empty.
	OnUpstreamFailure string
	// Reason tells the specialist why it was dispatched.
	Reason string

	// at is where the specialist is named, for the problems that are found later.
	at definition.Pos
}

// What a task does when a task that it needs has failed or was skipped.
const (
	OnFailureSkip     = "skip"     // it is skipped as well
	OnFailureContinue = "continue" // it runs, and its prompt says what is missing
)

// Backends returns the words that a task's backend may be.
func Backends() []string { return []string{"inline", "provider", "host"} }

var (
	// namePattern is what a chain's name in a file may be.
	namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)
	// idPattern is what a task's ID may be. It has no slash and no tilde: those
	// divide the parts of an activity ID.
	idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
)

// Version returns the content-addressed version of a chain: of its graph, the
// versions of its specialists, backends, models and policies, and not of its name
// or description. specialistVersion returns the version of a named specialist.
func Version(c Chain, specialistVersion func(name string) (string, error)) (string, error) {
	tasks := make([]any, 0, len(c.Tasks))
	for _, t := range c.Tasks {
		version, err := specialistVersion(t.Specialist)
		if err != nil {
			return "", fmt.Errorf("version of chain %s: %w", definition.Quote(c.Name), err)
		}
		needs := slices.Sorted(slices.Values(t.Needs))
		if needs == nil {
			needs = []string{}
		}
		tasks = append(tasks, map[string]any{
			"id": t.ID,
			// The name is part of the graph: it stands in the prompts of the tasks
			// that need this one.
			"specialist":        t.Specialist,
			"specialistVersion": version,
			"needs":             needs,
			"backend":           t.Backend,
			"provider":          t.Provider,
			"model":             t.Model,
			"onUpstreamFailure": t.OnUpstreamFailure,
			"reason":            t.Reason,
		})
	}
	version, err := canonical.Version(map[string]any{"tasks": tasks})
	if err != nil {
		return "", fmt.Errorf("version of chain %s: %w", definition.Quote(c.Name), err)
	}
	return version, nil
}

// clone returns a chain that shares nothing with c, so that a caller cannot
// change the library.
func (c Chain) clone() Chain {
	c.Tasks = slices.Clone(c.Tasks)
	for i := range c.Tasks {
		c.Tasks[i].Needs = slices.Clone(c.Tasks[i].Needs)
	}
	return c
}
