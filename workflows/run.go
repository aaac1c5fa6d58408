package workflows

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// Hook sees every event that a run applies, and the record after them. It is
// how a composition without a history learns of a run, and how a replay can be
// compared with the fold. It must not block and must not change anything.
type Hook func(record *run.Record, applied []run.Stamped)

// Runs is the workflow with what it is given at registration.
type Runs struct {
	timing Timing
	hook   Hook
}

// New returns the workflow. The hook may be nil.
func New(timing Timing, hook Hook) *Runs {
	if hook == nil {
		hook = func(*run.Record, []run.Stamped) {}
	}
	return &Runs{timing: timing, hook: hook}
}

// Run executes one request by one chain, from start to end.
func (w *Runs) Run(ctx workflow.Context, in history.RunInput) (history.RunResult, error) {
	l := newLife(ctx, w, in)
	if err := l.answer(ctx); err != nil {
		return history.RunResult{}, err
	}
	info := workflow.GetInfo(ctx).WorkflowExecution
	first := []run.Event{in.Started(info.ID, info.RunID)}
	l.turn(ctx, append(first, l.arrived(ctx)...)) // A cancellation may have come before any worker.
	for !l.record.Status.IsTerminal() {
		l.await(ctx)
		l.turn(ctx, l.arrived(ctx))
	}
	return l.end()
}

// end says in Temporal's own terms as what the run ended.
func (l *life) end() (history.RunResult, error) {
	result := history.RunResult{
		RunID: l.record.RunID, Status: l.record.Status, ExecutionState: l.record.ExecutionState,
		FinalMessage: clip(l.record.ComposeFinalMessage()),
	}
	switch l.record.Status {
	case run.CompletedWithFailures, run.Errored:
		return history.RunResult{}, temporal.NewNonRetryableApplicationError(
			l.record.Outcome(), string(l.record.Status), nil, result)
	case run.Cancelled:
		return history.RunResult{}, temporal.NewCanceledError(result)
	default:
		return result, nil
	}
}
