package history_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func tokens(n int64) run.Usage { return run.Usage{InputTokens: &n} }

// ours is an error as our activities leave, with all that it may carry.
func ours(code run.Code) error {
	return temporal.NewApplicationErrorWithOptions("provider said sk-secret", string(code), temporal.ApplicationErrorOptions{
		Details: []any{history.FailureDetail{
			Failure: run.Failure{Code: code, Message: "in our words", Attempts: 2},
			Prompt:  run.PromptInfo{SHA256: "abc"}, Usage: tokens(7),
		}},
	})
}

func timeout(kind enumspb.TimeoutType, cause error) error {
	return temporal.NewTimeoutError(kind, cause)
}

func TestWhatAnErrorSaysOfATask(t *testing.T) {
	t.Parallel()
	heartbeat, startToClose := enumspb.TIMEOUT_TYPE_HEARTBEAT, enumspb.TIMEOUT_TYPE_START_TO_CLOSE
	for name, c := range map[string]struct {
		err   error
		code  run.Code
		usage run.Usage
	}{
		"one of ours":                       {ours(run.CodeAuth), run.CodeAuth, tokens(7)},
		"wrapped":                           {temporal.NewApplicationErrorWithCause("outside", "other", ours(run.CodeAuth)), run.CodeInternal, run.Usage{}},
		"without details":                   {temporal.NewApplicationError("sk-secret", string(run.CodeAuth)), run.CodeInternal, run.Usage{}},
		"details of another kind":           {temporal.NewApplicationError("sk-secret", "x", "sk-secret"), run.CodeInternal, run.Usage{}},
		"details without a code":            {temporal.NewApplicationError("sk-secret", "x", history.FailureDetail{Usage: tokens(9)}), run.CodeInternal, run.Usage{}},
		"an error of anybody":               {errors.New("sk-secret"), run.CodeInternal, run.Usage{}},
		"a panic":                           {temporal.NewApplicationErrorWithCause("sk-secret", "PanicError", errors.New("sk-secret")), run.CodeInternal, run.Usage{}},
		"no heartbeat came":                 {timeout(heartbeat, nil), run.CodeWorkerLost, run.Usage{}},
		"it took too long":                  {timeout(startToClose, nil), run.CodeWorkerLost, run.Usage{}},
		"lost after an attempt that failed": {timeout(heartbeat, ours(run.CodeRateLimited)), run.CodeWorkerLost, tokens(7)},
		"cancelled with its usage":          {temporal.NewCanceledError(history.FailureDetail{Usage: tokens(3)}), "", tokens(3)},
		"cancelled":                         {temporal.NewCanceledError(), "", run.Usage{}},
		"cancelled with something else":     {temporal.NewCanceledError("sk-secret"), "", run.Usage{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// As it comes back from Temporal.
			converter := temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{})
			detail := history.DetailOf(converter.FailureToError(converter.ErrorToFailure(c.err)))
			require.Equal(t, c.code, detail.Failure.Code)
			require.Equal(t, c.usage, detail.Usage)
			if c.code == run.CodeInternal || c.code == run.CodeWorkerLost {
				require.NotEmpty(t, detail.Failure.Remediation)
			}
			raw, err := json.Marshal(detail)
			require.NoError(t, err)
			require.NotContains(t, string(raw), "secret", "an unknown error's text may hold anything")
		})
	}
}

// result is an outcome that decodes from JSON, as payloads do.
func result(t *testing.T, value any) history.Outcome {
	t.Helper()
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	return history.Outcome{Get: func(into any) error { return json.Unmarshal(raw, into) }}
}

func failed(err error) history.Outcome { return history.Outcome{Err: err} }

func TestWhatAnActivitysEndMeansForItsTask(t *testing.T) {
	t.Parallel()
	of := run.OfTask{TaskID: "one"}
	prompt, output := run.PromptInfo{SHA256: "abc"}, content.Of("the answer")
	for name, c := range map[string]struct {
		call    int
		outcome history.Outcome
		want    run.Event
	}{
		"a prompt": {0, result(t, history.PromptResult{Prompt: prompt}), run.TaskPromptReady{OfTask: of, Prompt: prompt}},
		"an answer": {
			1, result(t, history.TaskResult{Executor: "provider:demo:echo", Prompt: prompt, Output: output, Truncated: true, Usage: tokens(5), Warnings: []string{"cut"}}),
			run.TaskAnswered{OfTask: of, Executor: "provider:demo:echo", Prompt: prompt, Output: output, Truncated: true, Usage: tokens(5), Warnings: []string{"cut"}},
		},
		"a failure": {
			1, failed(ours(run.CodeAuth)),
			run.TaskErrored{OfTask: of, Prompt: prompt, Usage: tokens(7), Failure: run.Failure{Code: run.CodeAuth, Message: "in our words", Attempts: 2}},
		},
		"a cancellation": {1, failed(temporal.NewCanceledError(history.FailureDetail{Usage: tokens(3)})), run.TaskStopped{OfTask: of, Usage: tokens(3)}},
		"nobody took it": {1, failed(timeout(enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START, nil)), run.TaskUnclaimed{OfTask: of}},
	} {
		got, err := history.TaskEvent("one", c.call, c.outcome)
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
	}
	for _, call := range []int{0, 1} {
		_, err := history.TaskEvent("one", call, result(t, "no result at all"))
		require.Error(t, err, "no reader may guess")
	}
}

func TestWhatTheEndOfPlanningMeans(t *testing.T) {
	t.Parallel()
	resolved := history.PlanResult{TenantID: "default", PrincipalID: "alice", Plan: run.Plan{PromptFormat: 1}}
	got, err := history.PlanEvent(result(t, resolved))
	require.NoError(t, err)
	require.Equal(t, run.PlanResolved{TenantID: "default", PrincipalID: "alice", Plan: resolved.Plan}, got)

	got, err = history.PlanEvent(failed(temporal.NewCanceledError()))
	require.NoError(t, err)
	require.Equal(t, run.PlanStopped{}, got)

	for _, c := range []struct {
		err  error
		want run.Code
	}{
		{ours(run.CodeChainInvalid), run.CodeRunInputInvalid},
		{ours(run.CodeSpecialist), run.CodeRunInputInvalid},
		{ours(run.CodeModelUnresolved), run.CodeRunInputInvalid},
		{ours(run.CodeContent), run.CodeInternal},
		{timeout(enumspb.TIMEOUT_TYPE_HEARTBEAT, nil), run.CodeInternal},
		{errors.New("sk-secret"), run.CodeInternal},
	} {
		got, err := history.PlanEvent(failed(c.err))
		require.NoError(t, err)
		ended, ok := got.(run.PlanFailed)
		require.True(t, ok)
		require.Equal(t, c.want, ended.Error.Code, "%v", c.err)
		require.NotContains(t, ended.Error.Message, "secret")
	}
	_, err = history.PlanEvent(result(t, "no plan at all"))
	require.Error(t, err)
}

func TestAQueueNobodyCouldAskAboutIsWaitedFor(t *testing.T) {
	t.Parallel()
	of := run.OfTask{TaskID: "one"}
	for _, c := range []struct {
		outcome history.Outcome
		want    run.Event
	}{
		{result(t, history.QueueResult{Pollers: 0}), run.QueueInspected{OfTask: of}},
		{result(t, history.QueueResult{Pollers: 3}), run.QueueInspected{OfTask: of, Pollers: 3}},
		{failed(errors.New("away")), run.QueueInspected{OfTask: of, Pollers: 1}},
		{failed(temporal.NewCanceledError()), run.TaskStopped{OfTask: of}},
	} {
		got, err := history.QueueEvent("one", c.outcome)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}
