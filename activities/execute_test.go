package activities_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

func key() ledger.CallKey {
	return ledger.CallKey{Tenant: "acme", RunID: "run-1", TaskID: "engineer", Call: 1}
}

func TestAnAnswerIsRecordedAndNeverBoughtAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{answer("done\x00 \xff")}
	first, err := s.execute(task())
	require.NoError(t, err)
	require.Equal(t, "done\uFFFD \uFFFD", first.Output.Inline, "a text that can be stored anywhere")
	require.Equal(t, "provider:fake:m", first.Executor)
	require.Equal(t, int64(7), *first.Usage.InputTokens)
	require.Equal(t, 1, first.Usage.UnpricedCalls)
	require.Equal(t, "m-resolved", first.Meta.ResolvedModel)

	again, err := s.execute(task())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Len(t, s.model.asked, 1, "the stored answer is the answer")

	attempts, err := s.store.Attempts(t.Context(), key())
	require.NoError(t, err)
	require.Len(t, attempts, 1)
	require.Equal(t, ledger.Answered, attempts[0].State)
	require.Equal(t, "m", attempts[0].Model)
	require.Equal(t, int64(3), *attempts[0].Usage.OutputTokens)
}

func TestThePromptOfACallIsKeptByItsDigest(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	result, err := s.execute(task())
	require.NoError(t, err)
	asked := s.model.asked[0]
	system, err := content.Fetch(t.Context(), s.store, "acme", result.Prompt.Ref.System)
	require.NoError(t, err)
	user, err := content.Fetch(t.Context(), s.store, "acme", result.Prompt.Ref.User)
	require.NoError(t, err)
	require.Equal(t, asked.System, system)
	require.Equal(t, asked.User, user)
	require.Equal(t, specialist.SHA256(specialist.Messages{System: system, User: user}), result.Prompt.SHA256)
}

func TestALargeAnswerTravelsByReference(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	text := strings.Repeat("x", 4<<20)
	s.model.outcomes = []provider.Outcome{answer(text)}
	result, err := s.execute(task())
	require.NoError(t, err)
	require.True(t, result.Output.IsRef())
	got, err := content.Fetch(t.Context(), s.store, "acme", result.Output)
	require.NoError(t, err)
	require.Equal(t, text, got)
}

func TestEachClassLeavesAsItsCodeRetriedOrNot(t *testing.T) {
	t.Parallel()
	seconds := func(n int) *time.Duration { d := time.Duration(n) * time.Second; return &d }
	no := false
	for _, c := range []struct {
		name    string
		outcome provider.Outcome
		code    run.Code
		retried bool
		wait    time.Duration
	}{
		{"auth", provider.Outcome{Class: provider.Auth, Status: 401}, run.CodeAuth, false, 0},
		{"credits", provider.Outcome{Class: provider.InsufficientQuota}, run.CodeNoCredits, false, 0},
		{"filtered", provider.Outcome{Class: provider.ContentFiltered}, run.CodeFiltered, false, 0},
		{"empty", provider.Outcome{Class: provider.EmptyContent}, run.CodeEmptyContent, false, 0},
		{"reasoning only", provider.Outcome{Class: provider.ReasoningOnly}, run.CodeReasoningOnly, false, 0},
		{"malformed", provider.Outcome{Class: provider.MalformedBody}, run.CodeMalformed, false, 0},
		{"server", provider.Outcome{Class: provider.ServerError}, run.CodeServerError, true, 250 * time.Millisecond},
		{"timeout", provider.Outcome{Class: provider.Timeout}, run.CodeTimeout, true, 250 * time.Millisecond},
		{"reset", provider.Outcome{Class: provider.ConnectionReset}, run.CodeServerError, true, 250 * time.Millisecond},
		{"rate limit with a hint", provider.Outcome{Class: provider.RateLimited, RetryAfter: seconds(7)}, run.CodeRateLimited, true, 7 * time.Second},
		{"rate limit with a hint of a minute", provider.Outcome{Class: provider.RateLimited, RetryAfter: seconds(60)}, run.CodeRateLimited, true, time.Minute},
		{"rate limit with too long a hint", provider.Outcome{Class: provider.RateLimited, RetryAfter: seconds(61)}, run.CodeRateLimited, false, 0},
		{"overloaded, but told not to", provider.Outcome{Class: provider.Overloaded, ShouldRetry: &no}, run.CodeServerError, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.model.outcomes = []provider.Outcome{c.outcome}
			_, err := s.execute(task())
			app, detail := failure(t, err)
			require.Equal(t, string(c.code), app.Type())
			require.Equal(t, c.retried, !app.NonRetryable())
			if c.retried {
				require.Equal(t, c.wait, app.NextRetryDelay())
			}
			require.Equal(t, c.code, detail.Failure.Code)
			require.Equal(t, string(c.outcome.Class), detail.Failure.Class)
			require.NotEmpty(t, detail.Failure.Message)
			require.NotEmpty(t, detail.Failure.Remediation)
			if c.outcome.RetryAfter != nil {
				require.Equal(t, c.outcome.RetryAfter.Milliseconds(), *detail.Failure.RetryAfterMS)
			}
			attempts, err := s.store.Attempts(t.Context(), key())
			require.NoError(t, err)
			require.Len(t, attempts, 1)
			require.Equal(t, ledger.Failed, attempts[0].State)
		})
	}
}

func TestAnEarlierAttemptThatIsStillOpenIsCountedAsUncertain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	lost := ledger.Attempt{CallKey: key(), Source: "earlier/engineer/1/1", Kind: "model", IdempotencyClass: "at-least-once", StartedAt: time.Now()}
	_, err := s.store.BeginAttempt(t.Context(), lost)
	require.NoError(t, err)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	result, err := s.execute(task())
	require.NoError(t, err)
	require.Equal(t, 1, result.Usage.CallsUncertain)
	require.Equal(t, 2, result.Meta.Attempts)
	attempts, err := s.store.Attempts(t.Context(), key())
	require.NoError(t, err)
	require.Equal(t, ledger.Uncertain, attempts[0].State)
	require.Equal(t, ledger.Answered, attempts[1].State)
}

func TestWithTheStoreDownTheFirstAttemptAnswersInline(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.store.set(true)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	result, err := s.execute(task())
	require.NoError(t, err)
	require.Equal(t, "ok", result.Output.Inline)
}

func TestATextThatCannotBeFetchedIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.store.set(true)
	in := task()
	in.Request = content.Of(strings.Repeat("y", 9000)).Ref()
	_, err := s.execute(in)
	app, detail := failure(t, err)
	require.False(t, app.NonRetryable())
	require.Equal(t, run.CodeContent, detail.Failure.Code)
	require.Empty(t, s.model.asked, "nothing was asked without the whole request")
}

func TestAMissingKeyIsSaidBeforeAnyCall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	in := task()
	in.Provider = "keyless"
	_, err := s.execute(in)
	app, detail := failure(t, err)
	require.True(t, app.NonRetryable())
	require.Equal(t, run.CodeKeyMissing, detail.Failure.Code)
	require.Equal(t, "set KEY", detail.Failure.Remediation)
	require.Empty(t, s.model.asked)
}

func TestACancelledCallIsAbandoned(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.model.err = ctx.Err()
	_, err := s.execute(task())
	require.Error(t, err)
	attempts, err := s.store.Attempts(t.Context(), key())
	require.NoError(t, err)
	require.Equal(t, ledger.Abandoned, attempts[0].State)
}
