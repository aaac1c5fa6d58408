package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// nextTask is a prompt for a host. A short prompt stands in system and user; of a
// long one the first part is here, and orchestration_prompt has the others.
type nextTask struct {
	TaskID       string     `json:"task_id"`
	Role         string     `json:"role"`
	System       *string    `json:"system,omitempty"`
	User         *string    `json:"user,omitempty"`
	PromptSHA256 string     `json:"prompt_sha256,omitempty"`
	ClaimToken   int64      `json:"claim_token,omitempty"`
	ClaimExpires *time.Time `json:"claim_expires_at,omitempty"`
	ClaimedBy    string     `json:"claimed_by,omitempty"`
	Parts        int        `json:"parts,omitempty"`
	Part         *part      `json:"part,omitempty"`
}

// part is one slice of system, NUL and user; parts are counted from 1.
type part struct {
	N      int    `json:"n"`
	Text   string `json:"text"`
	SHA256 string `json:"sha256"`
}

// wanted says how a host wants its task.
type wanted struct {
	claim, takeover bool
	lease           int
}

// claimTries is how often a task that somebody else was quicker to take is passed
// over for another.
const claimTries = 3

// offer gives the host a task of a run, claimed for it. It returns the run as it
// was last seen, and no task when none awaits a host.
func (c *call) offer(ctx context.Context, client *runs.Client, folded history.Folded, w wanted) (*nextTask, history.Folded, error) {
	for range claimTries {
		t := c.pick(&folded.Record, w.takeover)
		if t == nil {
			return nil, folded, nil
		}
		if c.heldByAnother(t) && (!w.claim || !w.takeover) {
			return heldTask(t), folded, nil
		}
		if !w.claim {
			next, err := c.describe(ctx, &folded.Record, t)
			return next, folded, err
		}
		next, err := c.claim(ctx, client, &folded.Record, t, w)
		if err == nil {
			return next, folded, nil
		}
		var rejected *run.Rejection
		if !errors.As(err, &rejected) {
			return nil, folded, err
		}
		if w.takeover && rejected.Code == run.CodeHostClaimHeld {
			return nil, folded, err
		}
		if folded, err = client.Get(ctx, c.app.Config.Tenant, folded.Record.RunID); err != nil {
			return nil, folded, err
		}
	}
	return nil, folded, nil
}

// claim takes a task and returns its prompt. Without a worker nobody grants a claim;
// the prompt is handed out all the same, since its result will count.
func (c *call) claim(ctx context.Context, client *runs.Client, r *run.Record, t *run.Task, w wanted) (*nextTask, error) {
	next, err := c.describe(ctx, r, t)
	if err != nil {
		return nil, err
	}
	granted, err := client.Claim(ctx, r.RunID, run.ClaimRequest{
		TaskID: t.ID, Holder: c.holder(), LeaseSeconds: w.lease, Takeover: w.takeover,
	})
	switch {
	case err == nil:
		next.ClaimToken, next.ClaimExpires = granted.Token, &granted.ExpiresAt
	case errors.Is(err, runs.ErrUnreachable), ctx.Err() != nil:
		c.log.Debug("no worker granted the claim", "run_id", r.RunID, "task", t.ID, "error", err)
	default:
		return nil, err
	}
	return next, nil
}

// heldTask names a task without its prompt: two hosts should not do one work.
func heldTask(t *run.Task) *nextTask {
	return &nextTask{
		TaskID: t.ID, Role: t.Specialist.Name, PromptSHA256: t.PromptSHA256,
		ClaimedBy: t.Host.ClaimedBy, ClaimExpires: t.Host.ClaimExpires,
	}
}

func (c *call) describe(ctx context.Context, r *run.Record, t *run.Task) (*nextTask, error) {
	p, err := c.prompt(ctx, r, t)
	if err != nil {
		return nil, err
	}
	next := &nextTask{TaskID: t.ID, Role: t.Specialist.Name, PromptSHA256: t.PromptSHA256}
	if cost(wholePrompt(p)) <= sliceRoom {
		next.System, next.User = &p.System, &p.User
		return next, nil
	}
	pieces := promptPieces(p)
	next.Parts, next.Part = len(pieces), partOf(pieces, 1)
	return next, nil
}

func partOf(pieces []string, n int) *part {
	return &part{N: n, Text: pieces[n-1], SHA256: content.Digest(pieces[n-1])}
}
