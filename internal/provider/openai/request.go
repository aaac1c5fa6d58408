package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	sdk "github.com/sashabaranov/go-openai"

	"github.com/tutti-dev/tutti/internal/provider"
)

// chatRequest translates a request. What go-openai cannot express is in extras.
func chatRequest(req provider.Request) sdk.ChatCompletionRequest {
	chat := sdk.ChatCompletionRequest{Model: req.Model}
	if req.System != "" {
		chat.Messages = append(chat.Messages, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleSystem, Content: req.System})
	}
	chat.Messages = append(chat.Messages, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleUser, Content: req.User})
	ceiling := req.MaxTokens
	if ceiling > 0 && req.Effort != "" {
		ceiling += provider.ReasoningHeadroom
	}
	if isReasoningModel(req.Model) {
		chat.MaxCompletionTokens = ceiling
		return chat
	}
	chat.MaxTokens = ceiling
	if req.Temperature != nil {
		chat.Temperature = float32(*req.Temperature)
	}
	return chat
}

// extras are the members of the body that go-openai has no field for, or would
// leave out: an explicit temperature of 0, the effort, and the vendor's own.
func extras(ep provider.Endpoint, req provider.Request) map[string]any {
	members := map[string]any{}
	if req.Temperature != nil && *req.Temperature == 0 && !isReasoningModel(req.Model) {
		members["temperature"] = 0
	}
	if req.Effort != "" {
		if isOpenRouter(ep) {
			members["reasoning"] = map[string]any{"effort": req.Effort, "exclude": !req.Surfaces()}
		} else {
			members["reasoning_effort"] = req.Effort
		}
	}
	maps.Copy(members, req.Extras)
	for _, owned := range []string{"model", "messages", "stream"} {
		delete(members, owned)
	}
	return members
}

// merge sets members in an encoded request.
func merge(body []byte, members map[string]any) ([]byte, error) {
	if len(members) == 0 {
		return body, nil
	}
	var request map[string]json.RawMessage
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, fmt.Errorf("decode the request to extend it: %w", err)
	}
	for key, value := range members {
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("encode the extra member %q: %w", key, err)
		}
		request[key] = encoded
	}
	return json.Marshal(request)
}

// isReasoningModel says whether a model of this name takes max_completion_tokens:
// o1, o3 and the like, and gpt-5 and later.
func isReasoningModel(model string) bool {
	if len(model) > 1 && model[0] == 'o' && model[1] >= '1' && model[1] <= '9' {
		return true
	}
	version, ok := strings.CutPrefix(model, "gpt-")
	return ok && version != "" && version[0] >= '5' && version[0] <= '9'
}

func isOpenRouter(ep provider.Endpoint) bool {
	return ep.Name == "openrouter" || strings.Contains(ep.BaseURL, "openrouter.ai")
}
