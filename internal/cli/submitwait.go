package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// started tells what was started and waits for its end.
func (s *submission) started(ctx context.Context, a *app.App, started runs.Started, made plan.Made) error {
	for _, warning := range started.Warnings {
		s.say("warning: %s", warning)
	}
	if err := rememberRun(a.Config.DataDir, started.RunID); err != nil {
		s.say("warning: @last will not name this run: %s", oneLine(err.Error()))
	}
	word := "started"
	if started.Deduplicated {
		word = "found, it was started with this key before:"
	}
	s.say("run %s %s (chain %s)", started.RunID, word, made.Input.Chain)
	if r := made.Input.Plan.Rationale; r != "" {
		s.say("chain: %s", r)
	}
	a.Project(ctx, started.RunID)
	if s.detach {
		_, err := fmt.Fprintln(s.process.Stdout, started.RunID)
		return err
	}
	return s.await(ctx, a, started.RunID)
}

// await waits until the run is terminal or needs a host.
func (s *submission) await(ctx context.Context, a *app.App, runID string) error {
	c, err := a.Runs(ctx)
	if err != nil {
		return err
	}
	if err := s.awaitPickup(ctx, c, runID); err != nil {
		return s.left(ctx, runID, err)
	}
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	last, err := follow(waiting, c, a.Config.Tenant, runID, newProgress(s.command))
	a.Project(context.WithoutCancel(ctx), runID)
	if err != nil {
		if waiting.Err() != nil && ctx.Err() == nil {
			err = &failure{
				code: ExitPlatform, err: err, message: fmt.Sprintf("run %s still goes on after %s", runID, s.wait),
				next: "watch it with `tutti run watch " + runID + "`",
			}
		}
		return s.left(ctx, runID, err)
	}
	return s.result(ctx, last.Record)
}

// left says that the run goes on although the user's wait ended.
func (s *submission) left(ctx context.Context, runID string, err error) error {
	if ctx.Err() == nil {
		return err
	}
	s.say("")
	return &failure{
		code: ExitPlatform, err: err, message: "run " + runID + " goes on without you",
		next: "watch it with `tutti run watch " + runID + "` or end it with `tutti run cancel " + runID + "`",
	}
}

// awaitPickup waits until a worker has taken the run up. Whether there is one is
// not known when Temporal has said nothing about the run in all that time.
func (s *submission) awaitPickup(ctx context.Context, c *runs.Client, runID string) error {
	waiting, cancel := context.WithTimeout(ctx, s.pickup)
	defer cancel()
	heard := false
	err := c.Follow(waiting, s.app.Config.Tenant, runID, func(f history.Folded) (bool, error) {
		heard = true
		return f.Record.Status == run.Planned || f.Record.Status == "", nil
	})
	if err == nil || waiting.Err() == nil || ctx.Err() != nil {
		return err
	}
	if !heard {
		return &failure{
			code: ExitPlatform, err: err, message: fmt.Sprintf("run %s was started, and Temporal has said nothing about it for %s", runID, s.pickup),
			next: "see `tutti doctor`, then watch it with `tutti run watch " + runID + "`",
		}
	}
	why, next := unserved(ctx, c, runID)
	if why == "" {
		why, next = "no worker has taken it up from task queue "+c.TaskQueue(), "start one with `tutti worker`"
	}
	return &failure{
		code: ExitPlatform, err: errors.Join(err, context.DeadlineExceeded),
		message: fmt.Sprintf("run %s waits: %s", runID, why), next: next + "; the run then goes on by itself",
	}
}
