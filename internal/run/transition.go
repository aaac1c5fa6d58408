package run

import (
	"fmt"
	"slices"
)

// runTransitions is the whole life of a run. A status that is not a key is
// terminal; a pair that is not listed is impossible.
func runTransitions() map[Status][]Status {
	ends := []Status{Completed, CompletedPrepareOnly, CompletedWithFailures, Degraded, Cancelled, Errored}
	return map[Status][]Status{
		Planned:      append([]Status{Running, AwaitingHost}, ends...),
		Running:      append([]Status{AwaitingHost}, ends...),
		AwaitingHost: append([]Status{Running}, ends...),
	}
}

// taskTransitions is the whole life of a task.
func taskTransitions() map[TaskStatus][]TaskStatus {
	return map[TaskStatus][]TaskStatus{
		TaskQueued:       {TaskRunning, TaskSkipped, TaskCancelled},
		TaskRunning:      {TaskPrepared, TaskDone, TaskFailed, TaskCancelled, TaskAwaitingHost, TaskParked},
		TaskParked:       {TaskRunning, TaskFailed, TaskCancelled},
		TaskAwaitingHost: {TaskDone, TaskFailed, TaskCancelled},
	}
}

// CanGo says whether a run may go from one status to another.
func CanGo(from, to Status) bool { return slices.Contains(runTransitions()[from], to) }

// TaskCanGo says whether a task may go from one status to another.
func TaskCanGo(from, to TaskStatus) bool { return slices.Contains(taskTransitions()[from], to) }

// TransitionError says that an event asked for a change that cannot be.
type TransitionError struct {
	What     string // the run, or the task's ID
	From, To string
}

// Error implements error.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("%s cannot go from %s to %s", e.What, e.From, e.To)
}

func (r *Record) goTo(to Status) error {
	if r.Status == to {
		return nil
	}
	if !CanGo(r.Status, to) {
		return &TransitionError{What: "run", From: string(r.Status), To: string(to)}
	}
	r.Status = to
	return nil
}

func (t *Task) goTo(to TaskStatus) error {
	if !TaskCanGo(t.Status, to) {
		return &TransitionError{What: "task " + t.ID, From: string(t.Status), To: string(to)}
	}
	t.Status = to
	return nil
}
