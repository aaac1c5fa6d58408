package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// HostPatience is how long a host is kept waiting for a prompt in the making.
const HostPatience = 20 * time.Second

// Pickup is a host's wish for the next prompt.
type Pickup struct {
	// RunID names the run; empty means any run of the principal that awaits a host.
	RunID    string
	Holder   string
	Lease    time.Duration
	Takeover bool
}

// Picked is a task that the host has claimed, in the run as it is then.
type Picked struct {
	Record run.Record
	Claim  run.Claim
}

// Task is the claimed task.
func (p *Picked) Task() *run.Task { return p.Record.TaskByID(p.Claim.TaskID) }

// NothingError says that there is no prompt to pick up, and of which run that is
// true; without one it is true of all.
type NothingError struct {
	Record run.Record
	// Held is why an awaiting task was not handed out, if there is one.
	Held error
}

// Error implements error.
func (e *NothingError) Error() string {
	switch {
	case e.Held != nil:
		return e.Held.Error()
	case e.Record.RunID == "":
		return "no run of yours awaits a host"
	}
	return fmt.Sprintf("run %s is %s and has no prompt to pick up", e.Record.RunID, e.Record.Status)
}

// Unwrap returns the refused claim.
func (e *NothingError) Unwrap() error { return e.Held }

// PickUp claims an awaiting task for a host. There being none is a *NothingError.
func (a *App) PickUp(ctx context.Context, p Pickup) (Picked, error) {
	c, err := a.Runs(ctx)
	if err != nil {
		return Picked{}, err
	}
	if p.RunID != "" {
		return a.pickUpFrom(ctx, c, p, HostPatience)
	}
	nothing := &NothingError{}
	for p.RunID, err = range a.awaiting(ctx, c) {
		if err != nil {
			return Picked{}, err
		}
		picked, err := a.pickUpFrom(ctx, c, p, 0)
		var none *NothingError
		switch {
		case err == nil:
			return picked, nil
		case errors.As(err, &none):
			if none.Held != nil && nothing.Held == nil {
				nothing = none
			}
		case !errors.Is(err, runs.ErrNotFound):
			return Picked{}, err
		}
	}
	return Picked{}, nothing
}

// pickUpFrom claims a task of one run, and reads the run again: the claim may be
// on a task that awaits since a moment. When somebody was faster with the task that
// was seen, the next one is waited for, as long as the patience lasts.
func (a *App) pickUpFrom(ctx context.Context, c *runs.Client, p Pickup, patience time.Duration) (Picked, error) {
	until := time.Now().Add(patience)
	for {
		folded, err := c.Settle(ctx, a.Config.Tenant, p.RunID, time.Until(until))
		if err != nil {
			return Picked{}, err
		}
		if folded.Record.Counts()[run.TaskAwaitingHost] == 0 {
			return Picked{}, &NothingError{Record: folded.Record}
		}
		claim, err := c.Claim(ctx, p.RunID, run.ClaimRequest{
			Holder: p.Holder, LeaseSeconds: int(p.Lease.Seconds()), Takeover: p.Takeover,
		})
		var rejected *run.Rejection
		switch {
		case err == nil:
			return a.picked(ctx, c, p.RunID, claim)
		case !errors.As(err, &rejected):
			return Picked{}, err
		case rejected.Code != run.CodeTaskNotAwaiting || time.Now().After(until):
			return Picked{}, a.nothing(ctx, c, p.RunID, rejected)
		}
	}
}

func (a *App) picked(ctx context.Context, c *runs.Client, runID string, claim run.Claim) (Picked, error) {
	folded, err := c.Get(ctx, a.Config.Tenant, runID)
	picked := Picked{Record: folded.Record, Claim: claim}
	if err == nil && picked.Task() == nil {
		err = fmt.Errorf("run %s has no task %s any more: %w", runID, claim.TaskID, runs.ErrNotFound)
	}
	return picked, err
}

// nothing is what a refused claim means to somebody who asked for work.
func (a *App) nothing(ctx context.Context, c *runs.Client, runID string, rejected *run.Rejection) error {
	switch rejected.Code {
	case run.CodeHostClaimHeld:
		return &NothingError{Record: run.Record{RunID: runID}, Held: rejected}
	case run.CodeTaskNotAwaiting, run.CodeRunAlreadyEnded:
		folded, err := c.Get(ctx, a.Config.Tenant, runID)
		if err != nil {
			return err
		}
		return &NothingError{Record: folded.Record}
	}
	return rejected
}

// HandIn submits a host's result, in whose text the store takes part where it is
// long. A result that does not count is a *run.Rejection, a run that the tenant
// does not have runs.ErrNotFound.
func (a *App) HandIn(ctx context.Context, runID string, in history.HostResult) (runs.Verdict, error) {
	c, err := a.Runs(ctx)
	if err != nil {
		return runs.Verdict{}, err
	}
	if _, err := c.Get(ctx, a.Config.Tenant, runID); err != nil {
		return runs.Verdict{}, err // Another tenant's run is as good as none.
	}
	if rejected := checkResult(in); rejected != nil {
		return runs.Verdict{}, rejected
	}
	if in, err = a.lighten(ctx, in); err != nil {
		return runs.Verdict{}, err
	}
	return c.Submit(ctx, a.Config.Tenant, runID, in)
}

// checkResult looks at what only the whole text shows: JSON would mend bytes that
// are no text, and a reference hides them.
func checkResult(in history.HostResult) *run.Rejection {
	for _, text := range []string{in.Output, in.Error} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return &run.Rejection{
				Code: run.CodeHostResultInvalid, Message: "the result holds NUL or bytes that are not UTF-8", Remediation: "send plain text",
			}
		}
	}
	return nil
}

// lighten moves a long text into the store and leaves its reference. One that is
// too long is not kept: its size alone has it refused.
func (a *App) lighten(ctx context.Context, in history.HostResult) (history.HostResult, error) {
	if len(in.Output) <= content.InlineLimit {
		return in, nil
	}
	if strings.TrimSpace(in.Output) == "" {
		in.Output = "" // A reference would hide that nothing is in it.
		return in, nil
	}
	text := content.Of(in.Output)
	if text.Size <= run.MaxResult {
		if err := a.keep(ctx, a.Config.Tenant, map[string]string{text.SHA256: in.Output}); err != nil {
			return in, err
		}
	}
	in.Output, in.OutputRef = "", &history.OutputRef{SHA256: text.SHA256, Size: text.Size}
	return in, nil
}
