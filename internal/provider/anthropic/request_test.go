package anthropic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func TestRequestBody(t *testing.T) {
	t.Parallel()
	zero := 0.0
	for _, c := range []struct {
		name string
		req  provider.Request
		want string
	}{
		{
			"least: the ceiling has a default",
			provider.Request{Model: "claude-x", User: "u"},
			`{"model":"claude-x","messages":[{"role":"user","content":"u"}],"max_tokens":8192}`,
		},
		{
			"all",
			provider.Request{Model: "claude-x", System: "s", User: "u", MaxTokens: 9, Temperature: &zero},
			`{"model":"claude-x","system":"s","messages":[{"role":"user","content":"u"}],"max_tokens":9,"temperature":0}`,
		},
		{
			"a budget for the earlier models",
			provider.Request{Model: "claude-sonnet-4-5", User: "u", MaxTokens: 10, Effort: "low", Temperature: &zero},
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"u"}],"max_tokens":16394,"thinking":{"type":"enabled","budget_tokens":3840}}`,
		},
		{
			"an effort for the later",
			provider.Request{Model: "claude-opus-4-6", User: "u", MaxTokens: 10, Effort: "medium"},
			`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"u"}],"max_tokens":16394,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}`,
		},
		{
			"extras",
			provider.Request{Model: "claude-x", System: "s", User: "u", Extras: map[string]any{"top_k": 4, "max_tokens": 6, "stream": true, "system": "z", "model": "z"}},
			`{"model":"claude-x","system":"s","messages":[{"role":"user","content":"u"}],"max_tokens":6,"top_k":4}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := body(c.req)
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(got))
		})
	}
	_, err := body(provider.Request{Extras: map[string]any{"f": func() {}}})
	require.Error(t, err)
}

func TestThinkingBudgets(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]bool{
		"claude-3-7-sonnet-20250219": true, "claude-opus-4": true, "claude-sonnet-4-20250514": true, "claude-opus-4-1": true,
		"claude-haiku-4-5-20251001": true, "claude-opus-4-6": false, "claude-sonnet-5": false, "claude-opus-4-8": false,
	} {
		require.Equal(t, want, takesBudget(model), model)
	}
	for effort, want := range map[string]int{"low": 3840, "medium": 7680, "high": 15360, "max": 15360} {
		require.Equal(t, want, budgetOf(effort), effort)
		require.Less(t, want, provider.ReasoningHeadroom)
		require.GreaterOrEqual(t, want, 1024)
	}
}

func TestEndpointURL(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://api.anthropic.com":     "https://api.anthropic.com/v1/messages",
		"https://api.anthropic.com/":    "https://api.anthropic.com/v1/messages",
		"https://api.anthropic.com/v1":  "https://api.anthropic.com/v1/messages",
		"https://gw/anthropic?a=b":      "https://gw/anthropic/v1/messages?a=b",
		"https://gw/v1/messages":        "https://gw/v1/messages",
		"https://gw/v2/":                "https://gw/v2/messages",
		"https://gw/very/v1beta/prefix": "https://gw/very/v1beta/prefix/v1/messages",
	} {
		got, err := endpointURL(base, "/messages")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := endpointURL("gw", "/messages")
	require.Error(t, err)
}
