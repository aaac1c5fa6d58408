package fakeprovider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// completion is an answer that the server makes up.
type completion struct {
	dialect, model, id, text string
	input, output            int
}

// echo digests a question, the same way every time. The usage is a quarter of the
// bytes, rounded up.
func echo(q question) completion {
	system, user, bytes := q.texts()
	text := fmt.Sprintf("ECHO dialect=%s model=%s messages=%d system_sha256=%s user_sha256=%s user_chars=%d user_words=%d",
		q.dialect, q.Model, len(q.Messages), digest(system), digest(user), len([]rune(user)), len(strings.Fields(user)))
	id := digest(strings.Join([]string{q.dialect, q.Model, system, user}, "\x00"))[:24]
	return completion{dialect: q.dialect, model: q.Model, id: id, text: text, input: (bytes + 3) / 4, output: (len(text) + 3) / 4}
}

// filled replaces the text by one of n bytes.
func (c completion) filled(n int) completion {
	const unit = "lorem ipsum "
	c.text = strings.Repeat(unit, n/len(unit)+1)[:n]
	c.output = (n + 3) / 4
	return c
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// write sends the completion in its dialect.
func (c completion) write(w http.ResponseWriter) {
	c.header(w.Header())
	w.Header().Set("Content-Type", "application/json")
	if c.dialect == "anthropic" {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "msg_" + c.id, "type": "message", "role": "assistant", "model": c.model,
			"content":     []any{map[string]any{"type": "text", "text": c.text}},
			"stop_reason": "end_turn", "stop_sequence": nil,
			"usage": map[string]any{"input_tokens": c.input, "output_tokens": c.output, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
		})
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-" + c.id, "object": "chat.completion", "created": 1700000000, "model": c.model,
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "logprobs": nil,
			"message": map[string]any{"role": "assistant", "content": c.text, "refusal": nil},
		}},
		"usage": map[string]any{"prompt_tokens": c.input, "completion_tokens": c.output, "total_tokens": c.input + c.output},
	})
}

func (c completion) header(h http.Header) {
	id := "req_echo_" + c.id[:12]
	h.Set("X-Request-Id", id)
	h.Set("Request-Id", id)
}
