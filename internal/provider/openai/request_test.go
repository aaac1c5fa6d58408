package openai

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func encoded(t *testing.T, ep provider.Endpoint, req provider.Request) string {
	t.Helper()
	body, err := json.Marshal(chatRequest(req))
	require.NoError(t, err)
	body, err = merge(body, extras(ep, req))
	require.NoError(t, err)
	return string(body)
}

func TestRequestBody(t *testing.T) {
	t.Parallel()
	zero, warm := 0.0, 0.7
	for _, c := range []struct {
		name string
		ep   provider.Endpoint
		req  provider.Request
		want string
	}{
		{
			"least",
			provider.Endpoint{},
			provider.Request{Model: "m", User: "u"},
			`{"model":"m","messages":[{"role":"user","content":"u"}],"stream":false}`,
		},
		{
			"system and ceiling",
			provider.Endpoint{},
			provider.Request{Model: "m", System: "s", User: "u", MaxTokens: 10, Temperature: &warm},
			`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],"stream":false,"max_tokens":10,"temperature":0.7}`,
		},
		{
			"an explicit zero is sent",
			provider.Endpoint{},
			provider.Request{Model: "m", User: "u", Temperature: &zero},
			`{"model":"m","messages":[{"role":"user","content":"u"}],"stream":false,"temperature":0}`,
		},
		{
			"reasoning model",
			provider.Endpoint{},
			provider.Request{Model: "o3-mini", User: "u", MaxTokens: 10, Temperature: &warm},
			`{"model":"o3-mini","messages":[{"role":"user","content":"u"}],"stream":false,"max_completion_tokens":10}`,
		},
		{
			"effort gives headroom",
			provider.Endpoint{},
			provider.Request{Model: "gpt-5", User: "u", MaxTokens: 10, Effort: "low", Temperature: &zero},
			`{"model":"gpt-5","messages":[{"role":"user","content":"u"}],"stream":false,"max_completion_tokens":16394,"reasoning_effort":"low"}`,
		},
		{
			"openrouter's way, hidden",
			provider.Endpoint{Name: "openrouter"},
			provider.Request{Model: "x/y", User: "u", Effort: "high"},
			`{"model":"x/y","messages":[{"role":"user","content":"u"}],"stream":false,"reasoning":{"effort":"high","exclude":true}}`,
		},
		{
			"openrouter's way, surfaced",
			provider.Endpoint{BaseURL: "https://openrouter.ai/api/v1"},
			provider.Request{Model: "x/y", User: "u", Effort: "high", Reasoning: provider.ReasoningSurface},
			`{"model":"x/y","messages":[{"role":"user","content":"u"}],"stream":false,"reasoning":{"effort":"high","exclude":false}}`,
		},
		{
			"extras",
			provider.Endpoint{},
			provider.Request{Model: "m", User: "u", MaxTokens: 5, Extras: map[string]any{"top_k": 4, "max_tokens": 6, "stream": true, "model": "z", "messages": 1}},
			`{"model":"m","messages":[{"role":"user","content":"u"}],"stream":false,"max_tokens":6,"top_k":4}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.JSONEq(t, c.want, encoded(t, c.ep, c.req))
		})
	}
}

func TestReasoningModelsByName(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]bool{
		"o1": true, "o3-mini": true, "o4-mini": true, "gpt-5": true, "gpt-5-nano": true, "gpt-6-sol": true,
		"gpt-4o": false, "gpt-4.1": false, "gpt-oss-20b": false, "olmo": false, "o": false, "openai/gpt-5": false, "gpt-": false,
	} {
		require.Equal(t, want, isReasoningModel(model), model)
	}
}

func TestMergeRefusesWhatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	_, err := merge([]byte(`{"a":1}`), map[string]any{"f": func() {}})
	require.ErrorContains(t, err, `"f"`)
	_, err = merge([]byte(`[]`), map[string]any{"a": 1})
	require.Error(t, err)
}
