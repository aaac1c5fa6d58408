package anthropic

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/tutti-dev/tutti/internal/provider"
)

// The bounds of extended thinking: the API takes no budget under 1,024 tokens, and
// the budget must be below max_tokens.
const thinkingBudget = provider.ReasoningHeadroom - 1024

// body encodes a request. max_tokens is required by the API. With thinking the API
// takes no temperature, so none is sent.
func body(req provider.Request) ([]byte, error) {
	ceiling := req.MaxTokens
	if ceiling <= 0 {
		ceiling = provider.DefaultMaxTokens
	}
	members := map[string]any{}
	maps.Copy(members, req.Extras)
	members["model"] = req.Model
	members["messages"] = []any{map[string]any{"role": "user", "content": req.User}}
	delete(members, "stream")
	delete(members, "system")
	if req.System != "" {
		members["system"] = req.System
	}
	if req.Effort != "" {
		ceiling += provider.ReasoningHeadroom
		think(members, req)
	} else if req.Temperature != nil {
		members["temperature"] = *req.Temperature
	}
	if _, given := req.Extras["max_tokens"]; !given {
		members["max_tokens"] = ceiling
	}
	encoded, err := json.Marshal(members)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	return encoded, nil
}

// think asks for reasoning. Models from 4.6 on choose their own budget by effort;
// earlier ones need one in tokens.
func think(members map[string]any, req provider.Request) {
	if !takesBudget(req.Model) {
		members["thinking"] = map[string]any{"type": "adaptive"}
		members["output_config"] = map[string]any{"effort": req.Effort}
		return
	}
	members["thinking"] = map[string]any{"type": "enabled", "budget_tokens": budgetOf(req.Effort)}
}

func budgetOf(effort string) int {
	switch effort {
	case "minimal", "low":
		return thinkingBudget / 4
	case "medium":
		return thinkingBudget / 2
	}
	return thinkingBudget
}

// takesBudget says whether the model is of a generation before adaptive thinking:
// Claude 3, and Claude 4 up to 4.5.
func takesBudget(model string) bool {
	if strings.Contains(model, "claude-3") {
		return true
	}
	for _, family := range []string{"opus", "sonnet", "haiku"} {
		for _, version := range []string{"-4-0", "-4-1", "-4-5", "-4-2025"} {
			if strings.Contains(model, family+version) {
				return true
			}
		}
		if strings.HasSuffix(model, family+"-4") {
			return true
		}
	}
	return false
}
