package mcp

import (
	"context"
	"errors"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

type cancelArguments struct {
	RunID  string `json:"run_id"`
	Reason string `json:"reason"`
}

func cancelTool() tool {
	return tool{
		name: "orchestration_cancel", title: "Cancel a run",
		description: "Ask a run to end. Tasks that have ended keep their results; a run that has ended stays as it is.",
		arguments: []argument{
			required(text("run_id", "The run.")),
			text("reason", "Why, for the run's history."),
		},
		hints:  hints{destructive: true, idempotent: true},
		answer: answering(cancelRun),
	}
}

type cancelAnswer struct {
	RunID          string     `json:"run_id"`
	Cancelled      bool       `json:"cancelled"`
	PreviousStatus run.Status `json:"previous_status"`
}

func cancelRun(ctx context.Context, c *call, a cancelArguments) (any, error) {
	r, err := c.record(ctx, a.RunID)
	if err != nil {
		return nil, err
	}
	answer := &cancelAnswer{RunID: r.RunID, PreviousStatus: r.Status}
	if r.Status.IsTerminal() {
		return answer, nil
	}
	client, err := c.runs(ctx)
	if err != nil {
		return nil, err
	}
	cancelling, cancel := detached(ctx, startLimit)
	defer cancel()
	err = client.CancelBecause(cancelling, r.RunID, run.Clip(clean(a.Reason), 1<<10))
	if errors.Is(err, runs.ErrNotFound) {
		// It has ended since it was read.
		if r, err = c.record(ctx, a.RunID); err == nil {
			answer.PreviousStatus = r.Status
		}
		return answer, err
	}
	if err != nil {
		return nil, err
	}
	answer.Cancelled = true
	c.project(ctx, r.RunID)
	return answer, nil
}
