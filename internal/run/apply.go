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
