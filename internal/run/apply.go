package run

import (
	"fmt"
	"time"
)

// Apply changes the record by one event. It is the only thing that changes a
// status. The time is the event's own and is zero inside the workflow, where
// records carry no times.
//
// An impossible change is a *TransitionError, and the record is then as it was
// before as far as statuses go; a caller must not go on with it.
func (r *Record) Apply(e Event, at time.Time) error {
	if r.Status.IsTerminal() {
		return &TransitionError{What: "run", From: string(r.Status), To: TypeOf(e)}
	}
	r.UpdatedAt = stamp(at, r.UpdatedAt)
	switch e := e.(type) {
	case HostSubmitted:
		return r.hostSubmitted(e, at)
	case HostClaimed:
		r.claim(e)
		return nil
	}
	if id := e.Task(); id != "" {
		task := r.TaskByID(id)
		if task == nil {
			return fmt.Errorf("%s: the run has no task %q", TypeOf(e), id)
		}
		return r.applyToTask(task, e, at)
	}
	return r.applyToRun(e, at)
}

func (r *Record) applyToRun(e Event, at time.Time) error {
	switch e := e.(type) {
	case Started:
		r.open(e, at)
	case PlanResolved:
		r.TenantID, r.PrincipalID = e.TenantID, e.PrincipalID
		r.adopt(&e.Plan)
	case PlanFailed:
		failed := e.Error
		r.Error = &failed
		r.AwaitsPlan = false
	case PlanStopped:
		r.AwaitsPlan = false
	case SignalUnreadable:
		r.noteRejected(RejectedSignal{Code: CodeHostResultInvalid})
	case CancelRequested:
		r.CancelRequested = true
		for i := range r.Tasks {
			if r.Tasks[i].turns.waiting {
				r.Tasks[i].leaveInHistory()
			}
		}
	case Closed:
		return r.close(at)
	case Ended:
		ended := e.Error
		r.Error = &ended
		return r.close(at)
	default:
		return fmt.Errorf("apply: unknown event %T", e)
	}
	return nil
}

func (r *Record) open(e Started, at time.Time) {
	*r = Record{
		RunID: e.RunID, TemporalRunID: e.TemporalRunID,
		TenantID: e.TenantID, PrincipalID: e.PrincipalID,
		Status: Planned, Request: e.Request, Tasks: []Task{},
		CreatedAt: stamp(at, nil), UpdatedAt: stamp(at, nil),
	}
	if e.Plan == nil {
		r.AwaitsPlan = true
		return
	}
	r.adopt(e.Plan)
}

func (r *Record) adopt(p *Plan) {
	r.AwaitsPlan = false
	r.Chain, r.Plan = p.Chain, PlanNote{Rationale: p.Rationale}
	r.Execution, r.Budget = p.Execution, p.Budget
	r.Warnings, r.PromptFormat = p.Warnings, p.PromptFormat
	r.Tasks, r.plan = p.tasks(), p
	r.WorkerBackend = foldBackend(r.Tasks)
	r.Semantics = Semantics(r.WorkerBackend)
}

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
