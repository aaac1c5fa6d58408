package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// verdictTimeout is how long a caller waits for a verdict before the same result
// is sent by the door that needs no worker.
const verdictTimeout = 10 * time.Second

// Verdict is what became of a host's result.
type Verdict struct {
	// Pending says that nobody could decide yet: the result counts when a worker is back.
	Pending bool
	run.Acceptance
}

// Submit hands in a host's result. A result that does not count is a
// *run.Rejection. Without a worker it goes by signal, under the same submission
// ID, and is pending. On a closed run the same reducer decides over the fold.
func (c *Client) Submit(ctx context.Context, tenant, runID string, in history.HostResult) (Verdict, error) {
	var verdict history.HostVerdict
	err := c.update(ctx, runID, history.UpdateSubmit, in.UpdateID(), in, &verdict)
	if isDead(err) {
		err = c.update(ctx, runID, history.UpdateSubmit, "", in, &verdict)
	}
	switch {
	case err == nil:
		verdict.Duplicate = verdict.Duplicate || verdict.SubmissionID != in.SubmissionID
		return Verdict{Acceptance: verdict.Acceptance}, nil
	case errors.Is(err, ErrNotFound):
		return c.judgeClosed(ctx, tenant, runID, in)
	case errors.Is(err, errNoVerdict):
		if err := c.temporal.SignalWorkflow(ctx, runID, "", history.SignalResult, in); err != nil {
			return Verdict{}, fmt.Errorf("submit to %s: %w", runID, Translate(err))
		}
		return Verdict{Pending: true, Acceptance: run.Acceptance{TaskID: in.TaskID, SubmissionID: in.SubmissionID}}, nil
	}
	return Verdict{}, err
}

// isDead recognises what the server answers for ever about an update ID which it
// handed in again by itself, after a reset, and which the run could not take then.
// Another ID asks anew; a result is known by its digest, whatever the ID.
func isDead(err error) bool {
	var internal *serviceerror.Internal
	return errors.As(err, &internal)
}

func (c *Client) judgeClosed(ctx context.Context, tenant, runID string, in history.HostResult) (Verdict, error) {
	folded, err := c.Get(ctx, tenant, runID)
	if errors.Is(err, ErrNotFound) {
		return Verdict{}, &run.Rejection{Code: run.CodeRunNotFound, Message: "there is no run " + runID, Remediation: "list the runs and use one of their IDs"}
	}
	if err != nil {
		return Verdict{}, err
	}
	submission := in.Submission(history.DoorUpdate)
	accepted, rejected := folded.Record.Judge(&submission)
	if rejected != nil {
		return Verdict{}, rejected
	}
	return Verdict{Acceptance: *accepted}, nil
}

// ErrNoWorker says that no worker was there to decide; it comes with ErrUnreachable.
var ErrNoWorker = errors.New("no worker answered in time")

// Claim leases an awaiting task. A claim that is refused is a *run.Rejection; one
// that nobody could decide is ErrNoWorker.
func (c *Client) Claim(ctx context.Context, runID string, in run.ClaimRequest) (run.Claim, error) {
	var claim run.Claim
	err := c.update(ctx, runID, history.UpdateClaim, "", in, &claim)
	if errors.Is(err, errNoVerdict) {
		return claim, fmt.Errorf("claim in %s: %w: %w", runID, ErrNoWorker, ErrUnreachable)
	}
	return claim, err
}

var errNoVerdict = errors.New("no worker gave a verdict in time")

func (c *Client) update(ctx context.Context, runID, name, updateID string, in, into any) error {
	waiting, cancel := context.WithTimeout(ctx, verdictTimeout)
	defer cancel()
	handle, err := c.temporal.UpdateWorkflow(waiting, client.UpdateWorkflowOptions{
		WorkflowID: runID, UpdateID: updateID, UpdateName: name, Args: []any{in},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = handle.Get(waiting, into)
	}
	if err == nil {
		return nil
	}
	var app *temporal.ApplicationError
	var rejected run.Rejection
	if errors.As(err, &app) && app.HasDetails() && app.Details(&rejected) == nil && rejected.Code != "" {
		return &rejected
	}
	if ctx.Err() == nil && (waiting.Err() != nil || isTimeout(err)) {
		return errNoVerdict
	}
	return fmt.Errorf("%s of %s: %w", name, runID, Translate(err))
}

// isTimeout recognises the ways in which an update says that nobody took it up.
func isTimeout(err error) bool {
	var late *client.WorkflowUpdateServiceTimeoutOrCanceledError
	var deadline *serviceerror.DeadlineExceeded
	var busy *serviceerror.WorkflowNotReady
	return errors.As(err, &late) || errors.As(err, &deadline) || errors.As(err, &busy)
}

// Settle follows a run until it has ended, has a task for a host and no prompt in
// the making, or the time is over, and returns what is known then. It is how a
// caller gets the next prompt. States that lie before the call settle nothing.
func (c *Client) Settle(ctx context.Context, tenant, runID string, within time.Duration) (history.Folded, error) {
	last, err := c.Get(ctx, tenant, runID)
	if err != nil || within <= 0 || isSettled(&last.Record) {
		return last, err
	}
	caughtUp := last.Record.LastEventID
	waiting, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = c.Follow(waiting, tenant, runID, func(f history.Folded) (bool, error) {
		if f.Record.LastEventID >= caughtUp {
			last = f
		}
		return f.Record.LastEventID < caughtUp || !isSettled(&f.Record), nil
	})
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return last, nil
	}
	return last, err
}

func isSettled(r *run.Record) bool {
	awaiting := false
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Backend == run.BackendHost && t.Status == run.TaskRunning {
			return r.Status.IsTerminal()
		}
		awaiting = awaiting || t.Status == run.TaskAwaitingHost
	}
	return r.Status.IsTerminal() || awaiting
}
