package openai

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	n := provider.Count
	for _, c := range []struct {
		name, raw string
		want      provider.Usage
	}{
		{"absent", `{}`, provider.Usage{}},
		{"null", `{"usage":null}`, provider.Usage{}},
		{"null members are unknown", `{"usage":{"prompt_tokens":null,"completion_tokens":null,"total_tokens":0}}`, provider.Usage{}},
		{"zero is zero", `{"usage":{"prompt_tokens":0,"completion_tokens":0}}`, provider.Usage{InputTokens: n(0), OutputTokens: n(0)}},
		{"half known", `{"usage":{"prompt_tokens":3,"total_tokens":9}}`, provider.Usage{InputTokens: n(3)}},
		{
			"total agrees", `{"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"completion_tokens_details":{"reasoning_tokens":2}}}`,
			provider.Usage{InputTokens: n(3), OutputTokens: n(4), ReasoningTokens: n(2)},
		},
		{
			"total holds reasoning", `{"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":17}}`,
			provider.Usage{InputTokens: n(3), OutputTokens: n(14)},
		},
		{
			"total too small is ignored", `{"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":0}}`,
			provider.Usage{InputTokens: n(3), OutputTokens: n(4)},
		},
		{
			"cache apart", `{"usage":{"prompt_tokens":10,"completion_tokens":1,"cache_read_input_tokens":90}}`,
			provider.Usage{InputTokens: n(100), CachedInputTokens: n(90), OutputTokens: n(1)},
		},
	} {
		body := provider.ReadBody([]byte(c.raw))
		require.Equal(t, c.want, readUsage(body.Values[0].Get("usage")), c.name)
	}
}

func TestNothingIsReadFromNothing(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{``, `null`, `1`, `[]`, `{}`, `{"choices":[]}`, `{"choices":[1]}`, `{"choices":[{}]}`, `{"choices":[{"message":"x"}]}`} {
		_, ok := read(provider.ReadBody([]byte(raw)))
		require.False(t, ok, raw)
	}
}
