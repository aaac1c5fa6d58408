package provider_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

// judged classifies a reading as if it were the body of a 200.
func judged(r provider.Reading, req provider.Request) provider.Outcome {
	x := provider.Exchange{Status: 200, Header: http.Header{}, Body: []byte(`{}`), ReceivedAt: time.Now()}
	return provider.Judge(x, provider.Endpoint{}, req, func(provider.Body) (provider.Reading, bool) { return r, true })
}

func TestClassOfAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		reading provider.Reading
		want    provider.Class
	}{
		{"text and stop", provider.Reading{Text: "x", Finish: "stop"}, provider.OK},
		{"text without reason", provider.Reading{Text: "x"}, provider.OK},
		{"text and length", provider.Reading{Text: "x", Finish: "length"}, provider.Truncated},
		{"text and window", provider.Reading{Text: "x", Finish: "model_context_window_exceeded"}, provider.Truncated},
		{"window without text", provider.Reading{Finish: "model_context_window_exceeded"}, provider.ContextLengthExceeded},
		{"length without text", provider.Reading{Finish: "length"}, provider.EmptyContent},
		{"reasoning and length", provider.Reading{Reasoned: true, Finish: "length"}, provider.ReasoningOnly},
		{"blank text", provider.Reading{Text: " \n\u200b", Finish: "stop"}, provider.EmptyContent},
		{"filter beats text", provider.Reading{Text: "x", Finish: "content_filter"}, provider.ContentFiltered},
		{"annotation without text", provider.Reading{Filtered: true}, provider.ContentFiltered},
		{"annotation beside text", provider.Reading{Text: "x", Filtered: true, Finish: "stop"}, provider.OK},
		{"refusal beats text", provider.Reading{Text: "x", Refused: true}, provider.Refusal},
		{"error reason", provider.Reading{Text: "x", Finish: "error"}, provider.ServerError},
		{"overloaded reason", provider.Reading{Text: "x", Finish: "insufficient_system_resource"}, provider.Overloaded},
		{"timeout reason", provider.Reading{Text: "x", Finish: "timeout"}, provider.Timeout},
		{"pause", provider.Reading{Text: "x", Finish: "pause_turn"}, provider.Paused},
		{"tool without text", provider.Reading{WantsTool: true, Reasoned: true}, provider.ToolCallsOnly},
		{"tool reason without text", provider.Reading{Finish: "tool_use"}, provider.ToolCallsOnly},
		{"nothing", provider.Reading{Finish: "stop"}, provider.EmptyContent},
	} {
		out := judged(c.reading, provider.Request{})
		require.Equal(t, c.want, out.Class, c.name)
		require.Equal(t, out.Class.Success(), out.Text != "", c.name)
	}
}

func TestThinking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content, answer string
		reasoned              bool
	}{
		{"none", "plain", "plain", false},
		{"leading", "<think>a</think>\n\nb", "b", true},
		{"other tag", " \n<thinking>a</thinking> b", "b", true},
		{"two", "<think>a</think><think>c</think>b", "b", true},
		{"unclosed", "<think>a", "", true},
		{"orphan", "a\nb\n</think>\nc", "c", true},
		{"orphan at the start", "</think>\n\nc", "c", true},
		{"mentioned inline", "write </think> here", "write </think> here", false},
		{"in a code block", "```\n</think>\n```\n", "```\n</think>\n```\n", false},
		{"later in the answer", "see\n<think>\nx\n</think>\n", "see\n<think>\nx\n</think>\n", false},
		{"indent of an answer stays", "  x", "  x", false},
	} {
		out := judged(provider.Reading{Text: c.content, Finish: "stop"}, provider.Request{})
		require.Equal(t, c.answer, out.Text, c.name)
		require.Equal(t, c.reasoned, out.ReasoningReturned, c.name)
		require.Empty(t, out.Reasoning, "hidden by default")
	}
}

func TestReasoningIsSurfacedOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	reading := provider.Reading{Text: "<think>tagged</think>x", Reasoning: "member", Reasoned: true, Finish: "stop"}
	require.Empty(t, judged(reading, provider.Request{Reasoning: provider.ReasoningHidden}).Reasoning)
	out := judged(reading, provider.Request{Reasoning: provider.ReasoningSurface})
	require.Equal(t, "member\ntagged", out.Reasoning)
	reading.Text = ""
	out = judged(reading, provider.Request{Reasoning: provider.ReasoningSurface})
	require.Equal(t, provider.ReasoningOnly, out.Class)
	require.Empty(t, out.Reasoning, "a failed call keeps no text of any kind")
}

func TestClean(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\uFFFDb\uFFFDc", provider.Clean("a\x00b\xffc"))
	require.Equal(t, "äöü", provider.Clean("äöü"))
}

func TestMessageIsBoundedAndOurs(t *testing.T) {
	t.Parallel()
	wait := 1500 * time.Millisecond
	out := provider.Outcome{
		Class: provider.RateLimited, Status: 429, ErrType: "tokens", ErrCode: "rate_limit_exceeded", RequestID: "req_1", RetryAfter: &wait,
	}
	require.Equal(t, "acme is limiting the rate of requests (status 429, type tokens, code rate_limit_exceeded, advised wait 1.5s, request req_1)", out.Message("acme"))
	require.LessOrEqual(t, len(out.Message(strings.Repeat("ä", 4000))), provider.MaxMessageBytes)
	require.Equal(t, "the provider failed on its side", provider.Outcome{Class: provider.ServerError}.Message(""))
	require.Contains(t, provider.NotSent("base_url").Message("acme"), "was not asked")
	require.Contains(t, provider.Outcome{Class: provider.BadRequest, Status: 307}.Message("acme"), "never followed")
}

func TestTheNextStepsAboutKeysSayWhatToSetAndWhere(t *testing.T) {
	t.Parallel()
	for _, class := range []provider.Class{provider.Auth, provider.InsufficientQuota} {
		step := provider.Remediation(class, "acme", "ACME_KEY")
		require.Contains(t, step, "provider acme")
		require.Contains(t, step, "ACME_KEY")
		require.Contains(t, step, "where the worker runs")
		require.NotContains(t, provider.Remediation(class, "acme", ""), "  ")
	}
	require.Contains(t, provider.Remediation(provider.Auth, "acme", ""), "apiKeyEnv, keyFile or keyCommand under providers.acme")
	require.Contains(t, provider.Remediation(provider.InsufficientQuota, "acme", ""), "the account at provider acme")
	require.LessOrEqual(t, len(provider.Remediation(provider.InsufficientQuota, strings.Repeat("a", 63), "ACME_KEY")), provider.MaxMessageBytes)
}

func TestRetryable(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	require.True(t, provider.Outcome{Class: provider.Overloaded}.Retryable())
	require.False(t, provider.Outcome{Class: provider.Overloaded, ShouldRetry: &no}.Retryable())
	require.False(t, provider.Outcome{Class: provider.Auth, ShouldRetry: &yes}.Retryable())
	require.True(t, provider.Outcome{Class: provider.Truncated}.Truncated())
}
