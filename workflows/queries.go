package workflows

import (
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// answerQueries lets the Temporal CLI and Web UI read the record without us.
func (l *life) answerQueries(ctx workflow.Context) error {
	return workflow.SetQueryHandlerWithOptions(ctx, history.QueryRecord,
		func() (run.Record, error) { return l.record.Bounded(), nil },
		workflow.QueryHandlerOptions{
			Description: "The run's record. Texts over 1 KiB stand as digest and size; read them with `tutti run output`.",
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
