package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// answer lets the Temporal CLI and Web UI read and feed the run without us.
func (l *life) answer(ctx workflow.Context) error {
	err := workflow.SetQueryHandlerWithOptions(ctx, history.QueryRecord,
		func() (run.Record, error) { return l.record.Bounded(), nil },
		workflow.QueryHandlerOptions{
			Description: "The run's record. Texts over 1 KiB stand as digest and size; read them with `tutti run output`.",
		})
	if err != nil {
		return err
	}
	err = workflow.SetUpdateHandlerWithOptions(ctx, history.UpdateSubmit, l.submit, workflow.UpdateHandlerOptions{
		Validator:   l.validateSubmit,
		Description: "Submit a task's result: {\"taskId\", \"outcome\": \"done\" or \"failed\", \"output\"}. Answers whether it counts.",
	})
	if err != nil {
		return err
	}
	return workflow.SetUpdateHandlerWithOptions(ctx, history.UpdateClaim, l.claim, workflow.UpdateHandlerOptions{
		Validator:   l.validateClaim,
		Description: "Claim an awaiting task: {\"taskId\", \"holder\", \"leaseSeconds\", \"takeover\"}. Answers with a token.",
	})
}

// showCard puts the run into plain words where the Web UI shows them.
func (l *life) showCard(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, l.record.Card())
}

// clipLimit bounds what a run's result in Temporal repeats of its output.
const clipLimit = 1 << 10

func clip(s string) string {
	if len(s) <= clipLimit {
		return s
	}
	return run.Clip(s, clipLimit) + " (cut; `tutti run output` has the whole)"
}
