package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// failure is an error as a host reads it.
type failure struct {
	Code        run.Code `json:"code"`
	Message     string   `json:"error"`
	Remediation string   `json:"remediation"`
}

// Error implements error.
func (f *failure) Error() string { return f.Message }

// explain is the one place where an error becomes an answer.
func explain(err error) *failure {
	f := explained(err)
	f.Message, f.Remediation = oneLine(f.Message), oneLine(f.Remediation)
	return &f
}

func explained(err error) failure {
	var known *failure
	var rejected *run.Rejection
	var refused *plan.Refusal
	var away *app.ConnectionError
	var settings *config.Error
	switch {
	case errors.As(err, &known):
		return *known
	case errors.As(err, &rejected):
		return failure{rejected.Code, rejected.Message, rejected.Remediation}
	case errors.As(err, &refused):
		return ofRefusal(refused)
	case errors.As(err, &settings):
		return failure{run.CodeRunInputInvalid, settings.Message, settings.NextStep}
	case errors.As(err, &away):
		return failure{run.CodeUnreachable, away.Error(), "start Temporal and a worker with `tutti dev`, or set TEMPORAL_ADDRESS for this MCP server; then call the tool again"}
	}
	return bySentinel(err)
}

func ofRefusal(r *plan.Refusal) failure {
	f := failure{r.Code, r.Message, r.NextStep}
	if f.Code == "" {
		f.Code = run.CodeRunInputInvalid
	}
	if f.Remediation == "" {
		f.Remediation = "correct what the message names and call the tool again"
		if info, ok := run.InfoOf(f.Code); ok {
			f.Remediation = info.Do
		}
	}
	return f
}

func bySentinel(err error) failure {
	for _, known := range []struct {
		is error
		failure
	}{
		{runs.ErrNotFound, failure{run.CodeRunNotFound, "there is no such run", "use a run_id from orchestration_list"}},
		{runs.ErrKeyConflict, failure{run.CodeIdempotencyKey, "the idempotency key stands for another request; nothing was started", "use another idempotency_key, or the request that the key belongs to"}},
		{runs.ErrUnreachable, failure{run.CodeUnreachable, "temporal did not answer", "see `tutti doctor`, start a worker with `tutti worker`, then call the tool again"}},
		{runs.ErrRefused, failure{run.CodeUnreachable, "temporal refuses: it does not know the namespace, or does not permit this", "set TEMPORAL_NAMESPACE and its credentials for this MCP server; see `tutti doctor`"}},
		{content.ErrUnavailable, failure{run.CodeContent, "the content store cannot be reached", "see `tutti doctor`, bring the store back, then call the tool again"}},
		{content.ErrNotFound, failure{run.CodeContent, "a text of the run is not in this content store", "let this MCP server use the store of the run's worker: the same database or data directory"}},
		{store.ErrUnavailable, failure{run.CodeContent, "the store cannot be reached", "see `tutti doctor`, bring the store back, then call the tool again"}},
		{store.ErrCursor, failure{run.CodeRunInputInvalid, "the cursor is not one of these pages", "call the tool again without cursor"}},
		{context.DeadlineExceeded, failure{run.CodeUnreachable, "no answer came in time", "see `tutti doctor`, then call the tool again"}},
		{context.Canceled, failure{run.CodeUnreachable, "the call was cancelled", "call the tool again"}},
	} {
		if errors.Is(err, known.is) {
			return known.failure
		}
	}
	return failure{run.CodeInternal, run.Clip(err.Error(), 300), "see `tutti doctor`"}
}

func oneLine(s string) string { return run.Clip(strings.Join(strings.Fields(s), " "), 1<<10) }
