package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// Refusal is an error that another try will not mend, in the words for the user.
type Refusal struct {
	Code        run.Code
	Message     string
	Remediation string
	Cause       error
}

// Error implements error.
func (r *Refusal) Error() string { return r.Message }

// Unwrap returns the cause, for the operator's log.
func (r *Refusal) Unwrap() error { return r.Cause }

// leave makes of any error the ApplicationError that leaves an activity. The
// detail holds what is known of the prompt and the usage so far.
func leave(ctx context.Context, err error, detail history.FailureDetail) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		if canceledByServer(ctx) {
			return temporal.NewCanceledError(detail)
		}
		err = stopped(context.Cause(ctx))
	}
	failed := outcomeOf(err)
	failed.failure.Attempts = detail.Failure.Attempts
	detail.Failure = failed.failure
	return temporal.NewApplicationErrorWithOptions(failed.failure.Message, string(failed.failure.Code),
		temporal.ApplicationErrorOptions{
			NonRetryable:   !failed.retry,
			NextRetryDelay: failed.wait,
			Details:        []any{detail},
		})
}

// canceledByServer says that somebody cancelled the run, rather than that the
// worker stops or has lost Temporal.
func canceledByServer(ctx context.Context) bool { return temporal.IsCanceledError(context.Cause(ctx)) }

// stopped is the end of an attempt that was cut off although nobody cancelled the
// run: its worker stops, or Temporal has given it up. Another attempt goes on.
func stopped(cause error) error {
	message := "the worker stopped before the answer was here"
	if errors.Is(cause, errFenced) {
		message = "the worker lost Temporal during the call and gave the call up"
	}
	return &failed{retry: true, failure: run.Failure{
		Code: run.CodeWorkerLost, Message: message,
		Remediation: "check the worker's log and its connection to Temporal, then submit the run again",
	}}
}

// failed is a failure with what Temporal has to know of it.
type failed struct {
	failure run.Failure
	retry   bool
	wait    time.Duration
}

// Error implements error, so that a failed attempt travels like any error inside.
func (f *failed) Error() string { return f.failure.Message }

func outcomeOf(err error) failed {
	var known *failed
	var refusal *Refusal
	switch {
	case errors.As(err, &known):
		return *known
	case errors.As(err, &refusal):
		return failed{failure: run.Failure{Code: refusal.Code, Message: refusal.Message, Remediation: refusal.Remediation}}
	case errors.Is(err, errNoSlot):
		return failed{retry: true, failure: run.Failure{
			// Like a store that is away: nobody was asked, and the call waits on.
			Code: run.CodeContent, Class: "no_slot",
			Message:     "the worker makes as many calls to this provider as it may, and none ended in time",
			Remediation: "start more workers or raise the provider's concurrency; the run goes on by itself",
		}}
	case errors.Is(err, content.ErrUnavailable):
		return failed{retry: true, failure: run.Failure{
			Code:        run.CodeContent,
			Message:     "a text that the run refers to, or the store that keeps answers, cannot be reached now",
			Remediation: "check the store with `tutti doctor`; the run goes on by itself when it is back",
		}}
	case errors.Is(err, specialist.ErrPromptFormat), errors.Is(err, specialist.ErrPromptInput):
		return failed{failure: run.Failure{
			Code: run.CodeInternal, Message: fmt.Sprintf("the prompt cannot be made: %s", err),
			Remediation: "submit the run again; report this if it comes back",
		}}
	}
	return failed{failure: run.Failure{
		Code: run.CodeInternal, Message: "tutti failed in a way that it should not",
		Remediation: "look into the worker's log at the time of the failure and report it",
	}}
}
