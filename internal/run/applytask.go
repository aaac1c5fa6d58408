package run

import (
	"fmt"
	"time"
)

// applyToTask changes one task; what an event means for it stands in this file,
// setback.go (no result) and submit.go (a host's).
func (r *Record) applyToTask(t *Task, e Event, at time.Time) error {
	var err error
	switch e := e.(type) {
	case TaskScheduled:
		err = r.scheduled(t, e, at)
	case TaskPromptReady:
		err = t.promptReady(e, at)
	case TaskAnswered:
		err = t.answered(e)
	case TaskErrored:
		err = r.errored(t, e)
	case ContentStored:
		t.setOutput(e.Text)
		t.turns.storing = false
	case ContentDeferred:
		r.deferContent(t)
	case TaskUnclaimed:
		t.turns.inspect = true
	case QueueInspected:
		err = r.inspected(t, e)
	case TaskResumed:
		err = t.timerFired()
	case TimerSet:
		t.ResumeAt = stamp(e.ResumeAt, nil)
	case TaskStopped:
		t.settle(e.Usage, e.Charge)
		t.awaitNoMore()
		err = t.goTo(TaskCancelled)
	case TaskPassedOver:
		err = t.goTo(TaskSkipped)
		t.SkipReason = e.Reason
	default:
		err = fmt.Errorf("apply: unknown task event %T", e)
	}
	if err != nil {
		return err
	}
	r.afterTask(t, at)
	return nil
}

// afterTask keeps what follows from a task's new state.
func (r *Record) afterTask(t *Task, at time.Time) {
	if t.Status != TaskParked {
		t.ParkedFor, t.ResumeAt = "", nil
	}
	if t.Status.IsTerminal() && t.FinishedAt == nil {
		t.FinishedAt = stamp(at, nil)
	}
	r.foldTasks()
}

func (r *Record) hostSubmitted(e HostSubmitted, at time.Time) error {
	if err := r.submit(e); err != nil {
		return err
	}
	if t := r.TaskByID(e.Task()); t != nil {
		r.afterTask(t, at)
		r.HostRole = r.foldHostRole()
	}
	return nil
}

// foldHostRole is the role that all host results share, else mixed.
func (r *Record) foldHostRole() string {
	role := ""
	for i := range r.Tasks {
		host := r.Tasks[i].Host
		if host == nil || host.Role == "" {
			continue
		}
		if role != "" && role != host.Role {
			return "mixed"
		}
		role = host.Role
	}
	return role
}

// timerFired lets a parked task go on, and ends the wait for a host.
func (t *Task) timerFired() error {
	switch t.Status {
	case TaskParked:
		t.turns.again = true
		return nil
	case TaskAwaitingHost:
		t.Error = &Failure{
			Code: CodeHostTimeout, Message: "no host submitted a result in the time that the run allows",
			Remediation: "submit the run again; raise or remove host.resultTimeout in the configuration",
		}
		t.ExecutionState, t.Executor = StateFailed, ExecutorHostError
		return t.goTo(TaskFailed)
	default:
		// The task ended while its timer was about to fire, or its result waits for the store.
		t.turns.store, t.turns.waiting = t.turns.waiting, false
		return nil
	}
}

// scheduled notes that an activity is in flight for the task. A task that is
// scheduled anew after a fallback or an unclaimed queue is running already.
func (r *Record) scheduled(t *Task, e TaskScheduled, at time.Time) error {
	if t.Status != TaskRunning || !t.turns.again {
		if err := t.goTo(TaskRunning); err != nil {
			return err
		}
	}
	t.turns.again = false
	t.turns.scheduled++
	if r.Budget != (Budget{}) {
		t.turns.reserved = r.estimate(t)
	}
	t.Calls = max(t.Calls, e.Call)
	if choice := r.Choice(t); t.Backend == BackendProvider {
		t.Provider, t.Model = choice.Provider, choice.Model
	}
	if t.StartedAt == nil {
		t.StartedAt = stamp(at, nil)
	}
	if r.StartedAt == nil {
		r.StartedAt = stamp(at, nil)
	}
	return nil
}

func (t *Task) promptReady(e TaskPromptReady, at time.Time) error {
	t.setPrompt(e.Prompt)
	if t.Backend == BackendHost {
		t.Executor, t.ExecutionState = ExecutorHostAwaiting, StateAwaitingHost
		t.host().AwaitingSince = stamp(at, nil)
		t.turns.timer = true
		return t.goTo(TaskAwaitingHost)
	}
	t.Executor, t.ExecutionState = ExecutorPrepared, StatePrepared
	return t.goTo(TaskPrepared)
}

func (t *Task) answered(e TaskAnswered) error {
	t.setPrompt(e.Prompt)
	t.setOutput(e.Output)
	t.Executor, t.Truncated = e.Executor, e.Truncated
	t.Provider, t.Model, t.ProviderMeta = e.Provider, e.Model, e.Meta
	t.Degradations = e.Degradations
	t.Warnings = append(t.Warnings, e.Warnings...)
	t.ExecutionState = StateExecuted
	if len(t.Degradations) > 0 {
		t.ExecutionState = StateDegradedExecuted
	}
	t.setReasoning(e.Reasoning)
	t.settle(e.Usage, e.Charge)
	return t.goTo(TaskDone)
}

func (t *Task) setPrompt(p PromptInfo) {
	if p.SHA256 == "" {
		return
	}
	t.PromptVersion, t.PromptSHA256, t.PromptTruncated, t.Prompt = p.Version, p.SHA256, p.Truncated, p.Ref
}

// settle counts what a call used, and gives back what was reserved for it.
func (t *Task) settle(u Usage, c Charge) {
	t.Usage, t.Charge = t.Usage.Add(u), t.Charge.Add(c)
	t.turns.reserved = Charge{}
}

// foldTasks refreshes what a record says about its tasks together.
func (r *Record) foldTasks() {
	r.ExecutionState = r.foldExecutionState()
	r.Usage = Usage{}
	for i := range r.Tasks {
		r.Usage = r.Usage.Add(r.Tasks[i].Usage)
	}
}

func stamp(at time.Time, otherwise *time.Time) *time.Time {
	if at.IsZero() {
		return otherwise
	}
	utc := at.UTC()
	return &utc
}
