package activities_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/anthropic"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/provider/openai"
	"github.com/tutti-dev/tutti/internal/provider/providertest"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func corpus() []string {
	return []string{"../internal/provider/testdata/corpus.json", "../internal/provider/testdata/corpus-own.json"}
}

// caseEndpoint sends to the fake provider as a case wants to be asked.
type caseEndpoint struct {
	providertest.Case
	server string
}

func (e caseEndpoint) Endpoint(context.Context, string) (activities.Resolved, error) {
	return activities.Resolved{KeySource: "FAKE_KEY", Endpoint: provider.Endpoint{
		Name: "fake", Dialect: e.Hint.Dialect, BaseURL: e.BaseURL(e.server), APIKey: e.Hint.APIKey, Timeout: e.Deadline(),
	}}, nil
}

// T2 and T3: TestEveryCaseThroughTheActivity follows each answer of the corpus from the wire,
// through the real adapters and the real activity, into what Temporal and the
// store are given: code, class, retry, wait, usage, text; and searches all of it,
// and the log, for what must not leak.
func TestEveryCaseThroughTheActivity(t *testing.T) {
	t.Parallel()
	cases, err := providertest.Load(corpus()...)
	require.NoError(t, err)
	require.Greater(t, len(cases), 111)
	fake := fakeprovider.Start(t, fakeprovider.Options{Corpus: corpus()})
	doer := provider.NewDoer(provider.NewTransport(provider.TransportOptions{}))
	caller := provider.ByDialect{provider.DialectOpenAI: openai.New(doer), provider.DialectAnthropic: anthropic.New(doer)}
	testenv.Seen(t, "%d answers followed through adapter and activity into Temporal's failure and the store's row", len(cases))
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, func(d *activities.Dependencies) {
				d.Caller, d.Endpoints = caller, caseEndpoint{c, fake.URL()}
			}).attempt("engineer/1", 1)
			in := task()
			in.Model, in.Price = c.Model(), &run.Price{ID: "p", Input: "1", Output: "1"}
			in.System, in.Request = content.Of("Be brief."), content.Of(c.Hint.User)
			result, err := s.execute(in)
			require.Len(t, s.rows(), 1, "one attempt, one row")
			row := s.rows()[0]
			require.True(t, c.Accepts(row.Class), "class %s, want %s or one of %v", row.Class, c.Expect.Outcome, c.Expect.Accept)
			if provider.Class(row.Class).Success() {
				require.NoError(t, err)
				checkAnswer(t, s, c, result, row)
			} else {
				checkFailure(t, s, c, err, row)
			}
			checkTokens(t, c, row.Usage)
			if c.Expect.RequestID != "" {
				require.Equal(t, c.Expect.RequestID, row.RequestID)
			}
			require.Empty(t, c.Leaks(fmt.Sprintf("%+v", row)), "the row")
			require.Empty(t, c.Leaks(s.logs.String()), "the log")
		})
	}
}

func checkAnswer(t *testing.T, s *stage, c providertest.Case, result history.TaskResult, row ledger.Attempt) {
	t.Helper()
	text, err := content.Fetch(t.Context(), s.store, "acme", result.Output)
	require.NoError(t, err)
	if c.Expect.Text != nil {
		require.Equal(t, content.Clean(*c.Expect.Text), text)
	}
	require.Contains(t, text, c.Expect.TextContains)
	if c.Expect.TextExcludes != "" {
		require.NotContains(t, text, c.Expect.TextExcludes)
	}
	require.NotEmpty(t, text)
	require.Equal(t, row.Class == string(provider.Truncated), result.Truncated)
	require.Equal(t, ledger.Answered, row.State)
	require.Equal(t, row.Usage, result.Usage)
	require.Equal(t, row.Usage.InputTokens != nil && row.Usage.OutputTokens != nil, row.Usage.CostUSD != nil, "known usage has a cost")
	require.Empty(t, c.Leaks(text))
	encoded, err := json.Marshal(result)
	require.NoError(t, err)
	require.Empty(t, c.Leaks(string(encoded)))
}

func checkFailure(t *testing.T, s *stage, c providertest.Case, err error, row ledger.Attempt) {
	t.Helper()
	app, detail := failure(t, err)
	class := provider.Class(row.Class)
	require.Equal(t, class.Code(), app.Type())
	require.Equal(t, run.Code(class.Code()), detail.Failure.Code)
	require.Equal(t, row.Class, detail.Failure.Class)
	require.Equal(t, ledger.Failed, row.State)
	require.Equal(t, row.Usage, detail.Usage)
	if u := row.Usage; u.InputTokens != nil && u.OutputTokens != nil {
		require.Equal(t, *u.InputTokens+*u.OutputTokens, detail.Charge.Tokens)
	} else {
		require.Positive(t, detail.Charge.Tokens, "what nobody knows counts at its estimate")
	}
	if !c.Expect.RetryableAny {
		require.Equal(t, c.Expect.Retryable && !c.Expect.ExceedsCap, !app.NonRetryable(), "retried")
	}
	if want := c.Expect.RetryAfterMS; want != nil {
		require.NotNil(t, detail.Failure.RetryAfterMS)
		require.InDelta(t, *want, *detail.Failure.RetryAfterMS, float64(c.Expect.ToleranceMS)+0.5)
		if !app.NonRetryable() {
			require.GreaterOrEqual(t, app.NextRetryDelay().Milliseconds(), *detail.Failure.RetryAfterMS)
		}
	}
	most := c.Expect.MaxErrorTextBytes
	if most == 0 {
		most = provider.MaxMessageBytes
	}
	require.LessOrEqual(t, len(detail.Failure.Message), most)
	require.NotEmpty(t, detail.Failure.Remediation)

	encoded, encoding := json.Marshal(detail)
	require.NoError(t, encoding)
	proto := temporal.GetDefaultFailureConverter().ErrorToFailure(err)
	for _, left := range []string{err.Error(), app.Error(), string(encoded), proto.String()} {
		require.Empty(t, c.Leaks(left), left)
	}
}

func checkTokens(t *testing.T, c providertest.Case, u run.Usage) {
	t.Helper()
	if c.Expect.Usage == nil {
		return
	}
	for name, pair := range map[string][2]*int64{
		"input": {c.Expect.Usage.Input, u.InputTokens}, "output": {c.Expect.Usage.Output, u.OutputTokens},
		"cached": {c.Expect.Usage.Cached, u.CachedInputTokens}, "cache write": {c.Expect.Usage.CacheWrite, u.CacheWriteInputTokens},
		"reasoning": {c.Expect.Usage.Reasoning, u.ReasoningTokens},
	} {
		if pair[0] != nil {
			require.Equal(t, pair[0], pair[1], name)
		}
	}
}
