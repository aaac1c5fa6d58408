package providertest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
)

// Run asks every case of a dialect through the caller, in parallel subtests, and
// returns how many cases there are.
func Run(t *testing.T, caller provider.Caller, dialect string, corpus ...string) int {
	t.Helper()
	cases, err := Load(corpus...)
	require.NoError(t, err)
	fake := fakeprovider.Start(t, fakeprovider.Options{Corpus: corpus})
	n := 0
	for _, c := range cases {
		if c.Hint.Dialect != dialect {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			ask(t, caller, fake, c)
		})
	}
	return n
}

func ask(t *testing.T, caller provider.Caller, fake *fakeprovider.Client, c Case) {
	t.Helper()
	ep := provider.Endpoint{
		Name: "fake", Dialect: c.Hint.Dialect, BaseURL: c.BaseURL(fake.URL()), APIKey: c.Hint.APIKey, Timeout: c.Deadline(),
	}
	req := provider.Request{Model: c.Model(), System: "Be brief.", User: c.Hint.User}
	out, err := caller.Call(t.Context(), ep, req)
	require.NoError(t, err)
	Check(t, c, out)
	stats, err := fake.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, stats.Model(c.Model()).Calls, "one attempt is one request")
	require.Zero(t, stats.LeakCheck.Hits, "a redirect was followed")
}

// Check compares an outcome with what the case expects.
func Check(t *testing.T, c Case, out provider.Outcome) {
	t.Helper()
	e := c.Expect
	require.True(t, c.Accepts(string(out.Class)), "class %s, want %s or one of %v", out.Class, e.Outcome, e.Accept)
	if !e.RetryableAny {
		require.Equal(t, e.Retryable, out.Retryable(), "retryable")
	}
	checkWait(t, e, out)
	checkUsage(t, e, out.Usage)
	checkText(t, e, out)
	if e.FinishReason != "" {
		require.Equal(t, e.FinishReason, out.FinishReason)
	}
	if e.RequestID != "" {
		require.Equal(t, e.RequestID, out.RequestID)
	}
	checkLeaks(t, c, out)
}

func checkWait(t *testing.T, e Expect, out provider.Outcome) {
	t.Helper()
	if e.RetryAfterMS == nil {
		return
	}
	require.NotNil(t, out.RetryAfter, "an advised wait")
	require.InDelta(t, *e.RetryAfterMS, out.RetryAfter.Milliseconds(), float64(e.ToleranceMS)+0.5, "advised wait")
	require.Equal(t, e.ExceedsCap, *out.RetryAfter > time.Minute)
}

func checkUsage(t *testing.T, e Expect, usage provider.Usage) {
	t.Helper()
	if e.Usage == nil {
		return
	}
	for _, count := range []struct {
		name      string
		want, got *int64
	}{
		{"input", e.Usage.Input, usage.InputTokens},
		{"output", e.Usage.Output, usage.OutputTokens},
		{"cached", e.Usage.Cached, usage.CachedInputTokens},
		{"cache write", e.Usage.CacheWrite, usage.CacheWriteInputTokens},
		{"reasoning", e.Usage.Reasoning, usage.ReasoningTokens},
	} {
		if count.want != nil {
			require.Equal(t, count.want, count.got, count.name)
		}
	}
}

func checkText(t *testing.T, e Expect, out provider.Outcome) {
	t.Helper()
	if e.Text != nil {
		require.Equal(t, *e.Text, out.Text)
	}
	if e.TextContains != "" {
		require.Contains(t, out.Text, e.TextContains)
	}
	if e.TextExcludes != "" {
		require.NotContains(t, out.Text, e.TextExcludes)
	}
	require.Equal(t, out.Class.Success(), out.Text != "", "text belongs to success and only to it")
}

// checkLeaks searches everything that is stored of a failure, and everything but
// the text of a success.
func checkLeaks(t *testing.T, c Case, out provider.Outcome) {
	t.Helper()
	message, remediation := out.Message("fake"), provider.Remediation(out.Class, "fake", "FAKE_KEY")
	limit := c.Expect.MaxErrorTextBytes
	if limit == 0 {
		limit = provider.MaxMessageBytes
	}
	require.LessOrEqual(t, len(message), limit)
	if out.Class.Success() {
		require.Empty(t, c.Leaks(out.Text))
		out.Text = ""
	}
	encoded, err := json.Marshal(out)
	require.NoError(t, err)
	for _, text := range []string{message, remediation, string(encoded)} {
		require.Empty(t, c.Leaks(text), text)
	}
}
