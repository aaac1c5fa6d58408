package activities_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

func unrecorded(in history.TaskInput, attempts []history.Attempt, answer *history.TaskResult) history.Unrecorded {
	return history.Unrecorded{
		TenantID: in.TenantID, RunID: in.RunID, TaskID: in.TaskID, Call: in.Call,
		Provider: in.Provider, Model: in.Model, Price: in.Price, Attempts: attempts, Answer: answer,
	}
}

// TestACallWithoutAStoreIsRecordedLater: the first attempt answers inline, and
// what travels is enough to make the rows equal to those of a call in fair weather.
func TestACallWithoutAStoreIsRecordedLater(t *testing.T) {
	t.Parallel()
	in := task()
	in.Price = priced()
	fair := newStage(t).attempt("engineer/1", 1)
	fair.model.outcomes = []provider.Outcome{answer("ok")}
	want, err := fair.execute(in)
	require.NoError(t, err)
	require.Empty(t, want.Unrecorded)
	require.Empty(t, fair.sdk.details(), "in fair weather a beat carries nothing")

	s := newStage(t).attempt("engineer/1", 1)
	s.store.set(true)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	s.model.during = func(context.Context) error {
		require.Len(t, s.sdk.details(), 1, "a worker that dies now leaves a trace in its heartbeat")
		require.Equal(t, string(ledger.Started), s.sdk.details()[0].State)
		return nil
	}
	got, err := s.execute(in)
	require.NoError(t, err)
	require.Len(t, got.Unrecorded, 1)
	require.Empty(t, s.rows())

	s.store.set(false)
	for range 2 { // recorded by two projections
		require.NoError(t, kept.Record(t.Context(), s.store, unrecorded(in, got.Unrecorded, &got)))
	}
	require.Equal(t, fair.rows(), s.rows())
	again, err := s.attempt("engineer/1", 2).execute(in)
	require.NoError(t, err)
	require.Len(t, s.model.asked, 1, "the recorded answer is the answer")
	got.Unrecorded = nil
	require.Equal(t, got, again)
	require.Equal(t, want, again)
}

func TestALaterAttemptAsksNobodyWhileTheStoreIsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		activity string
		attempt  int32
	}{{"engineer/1", 2}, {"engineer/1~2", 1}} {
		s := newStage(t).attempt(c.activity, c.attempt)
		s.store.set(true)
		_, err := s.execute(task())
		app, detail := failure(t, err)
		require.Equal(t, string(run.CodeContent), app.Type())
		require.False(t, app.NonRetryable())
		require.Empty(t, s.model.asked)
		require.Empty(t, detail.Unrecorded)
		require.Zero(t, detail.Charge)
	}
}

func TestALaterAttemptWaitsForTheStore(t *testing.T) {
	t.Parallel()
	s := newStage(t).attempt("engineer/1", 2)
	s.store.down, s.store.back = true, 3
	s.model.outcomes = []provider.Outcome{answer("ok")}
	result, err := s.execute(task())
	require.NoError(t, err)
	require.Empty(t, result.Unrecorded)
	require.Equal(t, []ledger.State{ledger.Answered}, s.states())
}

// TestWhatAnAttemptDidWithoutAStoreReachesTheNext by the heartbeat's details:
// while the store is away they travel on, and once it is back they are recorded
// and counted.
func TestWhatAnAttemptDidWithoutAStoreReachesTheNext(t *testing.T) {
	t.Parallel()
	s := newStage(t).attempt("engineer/1", 1)
	s.store.set(true)
	failedOnce := provider.Outcome{Class: provider.ServerError, RequestID: "req-1", Usage: provider.Usage{InputTokens: provider.Count(5), OutputTokens: provider.Count(0)}}
	s.model.outcomes = []provider.Outcome{failedOnce, answer("ok")}
	_, err := s.execute(task())
	_, first := failure(t, err)
	require.Len(t, first.Unrecorded, 1)
	require.Equal(t, "failed", first.Unrecorded[0].State)

	_, err = s.attempt("engineer/1", 2).execute(task())
	app, second := failure(t, err)
	require.Equal(t, string(run.CodeContent), app.Type())
	require.Equal(t, first.Unrecorded, second.Unrecorded, "the activity's last failure still holds it")
	require.Equal(t, first.Usage, second.Usage)
	require.Equal(t, first.Charge, second.Charge)

	s.store.set(false)
	result, err := s.attempt("engineer/1", 3).execute(task())
	require.NoError(t, err)
	require.Empty(t, result.Unrecorded)
	require.Empty(t, s.sdk.details())
	require.Equal(t, int64(12), *result.Usage.InputTokens)
	require.Equal(t, []ledger.State{ledger.Failed, ledger.Answered}, s.states())
	require.Equal(t, "req-1", s.rows()[0].RequestID)
}

func TestACallThatDiedWithoutAStoreIsUncertain(t *testing.T) {
	t.Parallel()
	s := newStage(t).attempt("engineer/1", 2)
	s.sdk.carried = []history.Attempt{{Source: "default-test-run-id/engineer/1/1", State: "started", StartedAt: time.Unix(7, 0).UTC()}}
	s.store.set(true)
	_, err := s.execute(task())
	_, detail := failure(t, err)
	require.Equal(t, 1, detail.Usage.CallsUncertain)
	require.Equal(t, "uncertain", detail.Unrecorded[0].State)

	s.store.set(false)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	result, err := s.attempt("engineer/1", 3).execute(task())
	require.NoError(t, err)
	require.Equal(t, 1, result.Usage.CallsUncertain)
	require.Equal(t, []ledger.State{ledger.Uncertain, ledger.Answered}, s.states())
	require.Equal(t, 1, s.rows()[0].Usage.CallsUncertain, "SQL says it too")
}

// TestTheStoreGoesAwayDuringTheCall, wholly or for one kind of question: no answer
// is lost, and what the store lacks travels.
func TestTheStoreGoesAwayDuringTheCall(t *testing.T) {
	t.Parallel()
	for _, without := range []string{"", "SaveAnswer", "CloseAttempt"} {
		t.Run("without "+without, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).attempt("engineer/1", 2)
			s.store.without = without
			s.model.outcomes = []provider.Outcome{answer("ok")}
			s.model.during = func(context.Context) error { s.store.set(true); return nil }
			result, err := s.execute(task())
			require.NoError(t, err)
			require.Equal(t, "ok", result.Output.Inline)
			require.Len(t, result.Unrecorded, 1)
			require.Equal(t, "answered", result.Unrecorded[0].State)
			s.store.set(false)
			require.NoError(t, kept.Record(t.Context(), s.store, unrecorded(task(), result.Unrecorded, &result)))
			require.Equal(t, []ledger.State{ledger.Answered}, s.states())
			_, err = s.store.LoadAnswer(t.Context(), key(), result.Prompt.SHA256)
			require.NoError(t, err)
		})
	}
}

func TestALargeAnswerWaitsForTheStore(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", content.InlineLimit+1)
	s := newStage(t).attempt("engineer/1", 1)
	s.store.down, s.store.back = true, 40
	s.model.outcomes = []provider.Outcome{answer(large)}
	result, err := s.execute(task())
	require.NoError(t, err)
	require.True(t, result.Output.IsRef())
	text, err := content.Fetch(t.Context(), s.store, "acme", result.Output)
	require.NoError(t, err)
	require.Equal(t, large, text)

	// It waits as long as the attempt may last, and the loss is on the record.
	s = newStage(t)
	s.sdk.pose(func(info *activity.Info) {
		info.ActivityID, info.Attempt, info.Deadline = "engineer/1", 1, time.Now().Add(5*time.Second+50*time.Millisecond)
	})
	s.store.set(true)
	s.model.outcomes = []provider.Outcome{answer(large)}
	_, err = s.execute(task())
	app, detail := failure(t, err)
	require.Equal(t, string(run.CodeContent), app.Type())
	require.False(t, app.NonRetryable())
	require.Equal(t, "answered", detail.Unrecorded[0].State)
	require.Equal(t, int64(7), *detail.Usage.InputTokens)
}

// TestAWorkerThatDiedAfterStoringCostsNoSecondCall: the answer says whose it is,
// and that attempt is closed as answered.
func TestAWorkerThatDiedAfterStoringCostsNoSecondCall(t *testing.T) {
	t.Parallel()
	s := newStage(t).attempt("engineer/1", 1)
	s.store.without = "CloseAttempt"
	s.model.outcomes = []provider.Outcome{answer("ok")}
	s.model.during = func(context.Context) error { s.store.set(true); return nil }
	want, err := s.execute(task())
	require.NoError(t, err)
	require.Equal(t, []ledger.State{ledger.Started}, s.states(), "as a crash would leave it")
	s.store.set(false)
	s.sdk.carried = nil

	lost := ledger.Attempt{CallKey: key(), Source: "/engineer/1/0", Kind: kept.Kind, StartedAt: time.Unix(1, 0)}
	_, err = s.store.BeginAttempt(t.Context(), lost)
	require.NoError(t, err)
	again, err := s.attempt("engineer/1", 2).execute(task())
	require.NoError(t, err)
	require.Equal(t, want.Output, again.Output)
	require.Equal(t, 1, again.Usage.CallsUncertain)
	require.Len(t, s.model.asked, 1)
	require.Equal(t, []ledger.State{ledger.Answered, ledger.Uncertain}, s.states())
	require.Equal(t, int64(7), *s.rows()[0].Usage.InputTokens)
}

func TestTwoWorkersEndWithOneAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{answer("mine, too late")}
	s.model.during = func(context.Context) error {
		return otherWorker(s, answer("the other's"))
	}
	result, err := s.attempt("engineer/1", 1).execute(task())
	require.NoError(t, err)
	require.Equal(t, "the other's", result.Output.Inline)
	require.Equal(t, []ledger.State{ledger.Abandoned, ledger.Answered}, s.states())
	require.Equal(t, int64(7), *s.rows()[0].Usage.InputTokens, "it was paid for all the same")
}
