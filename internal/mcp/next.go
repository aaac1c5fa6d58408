package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

type nextArguments struct {
	RunID        string `json:"run_id"`
	Claim        *bool  `json:"claim"`
	Takeover     bool   `json:"takeover"`
	LeaseSeconds int    `json:"lease_seconds"`
	WaitMS       int64  `json:"wait_ms"`
}

func nextTool() tool {
	return tool{
		name: "orchestration_next", title: "Get the next prompt",
		description: "Get the next prompt that waits for a host, claimed for you. Without run_id: of any run of yours that waits, " +
			"which is how work is resumed after a session ended.",
		arguments: []argument{
			text("run_id", "The run. Without it, any run of yours that waits for a host."),
			flag("claim", "Claim the task, so that no other session does it too. Default true."),
			flag("takeover", "Take a task from another session of yours that is gone. Default false."),
			number("lease_seconds", "How long the claim holds. Default 900."),
			number("wait_ms", "How long to wait for a prompt in the making, at most 20000. Default 0."),
		},
		hints:  hints{idempotent: true},
		answer: answering(next),
	}
}

type nextAnswer struct {
	RunID            string     `json:"run_id,omitempty"`
	Status           run.Status `json:"status,omitempty"`
	Message          string     `json:"message,omitempty"`
	Semantics        string     `json:"semantics,omitempty"`
	HostInstructions string     `json:"host_instructions"`
	NextTask         *nextTask  `json:"next_task"`
	RetryAfterMS     int64      `json:"retry_after_ms,omitempty"`
}

func next(ctx context.Context, c *call, a nextArguments) (any, error) {
	client, err := c.runs(ctx)
	if err != nil {
		return nil, err
	}
	w := wanted{claim: a.Claim == nil || *a.Claim, takeover: a.Takeover, lease: a.LeaseSeconds}
	var folded history.Folded
	if a.RunID == "" {
		folded, err = c.anyAwaiting(ctx, client, a.Takeover)
	} else {
		folded, err = c.settle(ctx, client, a.RunID, c.until(time.Duration(a.WaitMS)*time.Millisecond))
	}
	if errors.Is(err, errNoneAwaits) {
		return &nextAnswer{
			HostInstructions: "No run of yours waits for a host. Start one with orchestration_run if there is work.",
			RetryAfterMS:     retryLater,
		}, nil
	}
	if err != nil {
		return nil, err
	}
	task, folded, err := c.offer(ctx, client, folded, w)
	if err != nil {
		return nil, err
	}
	r := &folded.Record
	return &nextAnswer{
		RunID: r.RunID, Status: r.Status, Semantics: r.Semantics, Message: nothingExecuted(r), NextTask: task,
		RetryAfterMS: retryAfter(r, task), HostInstructions: hostInstructions(r, task, "The run is under way. "),
	}, nil
}

// errNoneAwaits says that no run of the principal waits for a host.
var errNoneAwaits = errors.New("no run awaits a host")

// anyAwaiting looks for a run of the principal with a task for this host, among
// those that Temporal has open: it works without the mirror and is not stale. A run
// whose tasks are all in other sessions' hands is the second choice.
func (c *call) anyAwaiting(ctx context.Context, client *runs.Client, takeover bool) (history.Folded, error) {
	held := ""
	query := store.Query{
		Tenant: c.app.Config.Tenant, Limit: runs.MaxListed,
		Statuses: []run.Status{run.Running, run.AwaitingHost},
	}
	for {
		page, err := client.ListPage(ctx, query)
		if err != nil {
			return history.Folded{}, err
		}
		for i := range page.Runs {
			r := &page.Runs[i]
			if r.PrincipalID != c.app.Config.Principal {
				continue
			}
			t := c.pick(r, takeover)
			if t != nil && (takeover || !c.heldByAnother(t)) {
				return client.Get(ctx, c.app.Config.Tenant, r.RunID)
			}
			if t != nil && held == "" {
				held = r.RunID
			}
		}
		if query.Cursor = page.NextCursor; query.Cursor == "" {
			break
		}
	}
	if held == "" {
		return history.Folded{}, errNoneAwaits
	}
	return client.Get(ctx, c.app.Config.Tenant, held)
}
