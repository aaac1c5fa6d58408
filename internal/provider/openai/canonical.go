package openai

import (
	"encoding/json"
	"fmt"

	"github.com/tutti-dev/tutti/internal/provider"
)

// canonical writes the body that go-openai gets: the plainest completion that holds
// what was judged, with numbers that are integers and content that is a string.
func canonical(out provider.Outcome) ([]byte, error) {
	known := func(n *int64) int64 {
		if n == nil {
			return 0
		}
		return *n
	}
	body, err := json.Marshal(map[string]any{
		"object": "chat.completion",
		"model":  out.ResolvedModel,
		"choices": []any{map[string]any{
			"index":         0,
			"message":       map[string]any{"role": "assistant", "content": out.Text},
			"finish_reason": out.FinishReason,
		}},
		"usage": map[string]any{
			"prompt_tokens":     known(out.Usage.InputTokens),
			"completion_tokens": known(out.Usage.OutputTokens),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("write the completion anew: %w", err)
	}
	return body, nil
}
