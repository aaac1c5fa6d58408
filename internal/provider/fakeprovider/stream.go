package fakeprovider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// eventWriter writes server-sent events.
type eventWriter struct{ w http.ResponseWriter }

func (e eventWriter) send(name string, v any) {
	data, _ := json.Marshal(v)
	if name != "" {
		_, _ = fmt.Fprintf(e.w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(e.w, "data: %s\n\n", data)
	_ = http.NewResponseController(e.w).Flush()
}

// stream sends the completion as events, for a client that asked for a stream.
func (c completion) stream(w http.ResponseWriter) {
	c.header(w.Header())
	w.Header().Set("Content-Type", "text/event-stream")
	events := eventWriter{w}
	half := len(c.text) / 2
	if c.dialect == "anthropic" {
		c.streamMessage(events, half)
		return
	}
	c.streamChunks(events, half)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func (c completion) streamMessage(e eventWriter, half int) {
	object := func(kind string, members map[string]any) {
		members["type"] = kind
		e.send(kind, members)
	}
	object("message_start", map[string]any{"message": map[string]any{
		"id": "msg_" + c.id, "type": "message", "role": "assistant", "model": c.model, "content": []any{},
		"stop_reason": nil, "usage": map[string]any{"input_tokens": c.input, "output_tokens": 1},
	}})
	object("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
	for _, part := range []string{c.text[:half], c.text[half:]} {
		object("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": part}})
	}
	object("content_block_stop", map[string]any{"index": 0})
	object("message_delta", map[string]any{"delta": map[string]any{"stop_reason": "end_turn"}, "usage": map[string]any{"output_tokens": c.output}})
	object("message_stop", map[string]any{})
}

func (c completion) streamChunks(e eventWriter, half int) {
	chunk := func(choices []any) map[string]any {
		return map[string]any{"id": "chatcmpl-" + c.id, "object": "chat.completion.chunk", "created": 1700000000, "model": c.model, "choices": choices}
	}
	choice := func(delta map[string]any, finish any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
	}
	e.send("", chunk(choice(map[string]any{"role": "assistant", "content": c.text[:half]}, nil)))
	e.send("", chunk(choice(map[string]any{"content": c.text[half:]}, nil)))
	e.send("", chunk(choice(map[string]any{}, "stop")))
	last := chunk([]any{})
	last["usage"] = map[string]any{"prompt_tokens": c.input, "completion_tokens": c.output, "total_tokens": c.input + c.output}
	e.send("", last)
}
