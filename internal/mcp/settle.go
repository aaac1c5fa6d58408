package mcp

import (
	"context"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// settled says that waiting on would bring the caller nothing: the run has ended,
// only hosts can go on with it, or a task is free for this one.
func (c *call) settled(r *run.Record) bool {
	if r.Status.IsTerminal() || r.Status == run.AwaitingHost {
		return true
	}
	t := c.pick(r, false)
	return t != nil && !c.heldByAnother(t)
}

// settle folds a run, and follows it until it has settled or the time is over. It
// is how a caller gets the prompt in the making. What the first fold has seen is
// not looked at again: the run awaited hosts in its past too.
func (c *call) settle(ctx context.Context, client *runs.Client, runID string, until time.Time) (history.Folded, error) {
	last, err := client.Get(ctx, c.app.Config.Tenant, runID)
	if err != nil || c.settled(&last.Record) || !time.Now().Before(until) {
		return last, err
	}
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	seen := last.Record.LastEventID
	err = client.Follow(waiting, c.app.Config.Tenant, runID, func(f history.Folded) (bool, error) {
		if f.Record.LastEventID <= seen {
			return true, nil
		}
		last = f
		return !c.settled(&f.Record), nil
	})
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return last, nil
	}
	return last, err
}

// pick chooses the task that a host gets: one that is free or its own before one
// that another session of the principal has in hand.
func (c *call) pick(r *run.Record, takeover bool) *run.Task {
	var held *run.Task
	for i := range r.Tasks {
		t := &r.Tasks[i]
		switch {
		case t.Status != run.TaskAwaitingHost:
		case takeover, !c.heldByAnother(t):
			return t
		case held == nil:
			held = t
		}
	}
	return held
}

// heldByAnother says that a live claim of somebody else stands on the task.
func (c *call) heldByAnother(t *run.Task) bool {
	return t.Host != nil && t.Host.ClaimExpires != nil && time.Now().Before(*t.Host.ClaimExpires) &&
		t.Host.ClaimedBy != c.holder()
}

// holder is the caller as claims name it.
func (c *call) holder() string { return c.caller.holder(c.app.Config.Principal) }
