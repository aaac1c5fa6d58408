package workflows

import (
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// submit answers a host that hands in a result. It never blocks: it takes what
// has settled, judges, and leaves all that follows to the root loop.
func (l *life) submit(ctx workflow.Context, in history.HostResult) (history.HostVerdict, error) {
	l.absorb(ctx, l.settled(ctx))
	submission := in.Submission(history.DoorUpdate)
	accepted, rejected := l.record.Judge(&submission)
	l.absorb(ctx, []run.Event{run.HostSubmitted{Submission: submission}})
	l.stopTimers()
	if rejected != nil {
		return history.HostVerdict{}, rejection(rejected)
	}
	return history.HostVerdict{Accepted: true, Acceptance: *accepted}, nil
}

// validateSubmit is a cheap look, so that a result which cannot count adds no
// event; submit decides again.
func (l *life) validateSubmit(_ workflow.Context, in history.HostResult) error {
	submission := in.Submission(history.DoorUpdate)
	_, rejected := l.record.Judge(&submission)
	if rejected == nil || rejected.Code == run.CodeTaskNotAwaiting && l.isReady(in.TaskID) {
		return nil
	}
	return rejection(rejected)
}

// isReady says that a task's prompt, or whatever it waited for, has arrived and was
// not taken yet: a look may change nothing, so it cannot take it. After a reset the
// results that were accepted before come in such a workflow task.
func (l *life) isReady(taskID string) bool {
	f, ok := l.inFlight[taskID]
	return ok && f.future.IsReady()
}

func (l *life) claim(ctx workflow.Context, in run.ClaimRequest) (run.Claim, error) {
	l.absorb(ctx, l.settled(ctx))
	granted, rejected := l.record.JudgeClaim(in)
	l.absorb(ctx, []run.Event{run.HostClaimed{Claim: in}})
	if rejected != nil {
		return run.Claim{}, rejection(rejected)
	}
	return *granted, nil
}

// validateClaim looks with the last workflow task's clock, by which a claim can
// only look longer alive than it is; claim decides with the right one.
func (l *life) validateClaim(_ workflow.Context, in run.ClaimRequest) error {
	_, rejected := l.record.JudgeClaim(in)
	switch {
	case rejected == nil, rejected.Code == run.CodeHostClaimHeld,
		rejected.Code == run.CodeTaskNotAwaiting && l.anyTaskArrived():
		return nil
	}
	return rejection(rejected)
}

func rejection(r *run.Rejection) error {
	return temporal.NewNonRetryableApplicationError(r.Message, string(r.Code), nil, r)
}

// signalled takes the results that came by signal, in their order.
func (l *life) signalled() []run.Event {
	var events []run.Event
	for {
		var raw converter.RawValue
		if !l.signals.ReceiveAsync(&raw) {
			return events
		}
		events = append(events, history.SignalEvent(raw))
	}
}

// stopTimers ends the timers that bounded the wait for a host who has answered. The
// timer that waits for the store is another: its task has ended, and needs it.
func (l *life) stopTimers() {
	for i := range l.record.Tasks {
		task := &l.record.Tasks[i]
		if f, ok := l.inFlight[task.ID]; ok && f.ofHost && task.Status.IsTerminal() {
			f.cancel()
			delete(l.inFlight, task.ID)
		}
	}
}

// keepRaw holds a long result until it is in the store; the record does not.
func (l *life) keepRaw(e run.HostSubmitted) {
	if len(e.Submission.Output.Inline) == 0 {
		return
	}
	if _, rejected := l.record.Judge(&e.Submission); rejected == nil {
		l.raw[e.Submission.TaskID] = e.Submission.Output.Inline
	}
}

// store moves a raw result into the store. A cancellation does not stop it.
func (l *life) store(taskID string) flight {
	id := history.ContentActivityID(taskID, l.number(taskID+"/content"))
	detached, _ := workflow.NewDisconnectedContext(l.activities)
	ctx := workflow.WithActivityOptions(detached, l.promptOptions(id, taskID+" · keep the result"))
	future := workflow.ExecuteActivity(ctx, history.ActivityStore, history.StoreInput{
		TenantID: l.record.TenantID, RunID: l.record.RunID, TaskID: taskID, Text: l.raw[taskID],
	})
	return flight{future: future, event: func(o history.Outcome) (run.Event, error) {
		return history.StoreEvent(taskID, o)
	}}
}
