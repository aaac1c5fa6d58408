package openai

import (
	"strings"

	"github.com/tutti-dev/tutti/internal/provider"
)

// read is the dialect's view of a 2xx body.
func read(body provider.Body) (provider.Reading, bool) {
	if body.Stream {
		return readStream(body)
	}
	if len(body.Values) == 0 {
		return provider.Reading{}, false
	}
	completion := body.Values[0]
	reading := provider.Reading{
		Model:    completion.Get("model").Text(),
		Usage:    readUsage(completion.Get("usage")),
		Filtered: promptFiltered(completion),
	}
	choices := completion.Get("choices").Items()
	if len(choices) == 0 || !choices[0].IsObject() {
		return reading, false
	}
	return reading, readChoice(&reading, choices[0])
}

// readChoice reads the answer. The message is missing in the shape of the old
// completions (text) and in a chunk that came as a whole answer (delta).
func readChoice(r *provider.Reading, choice provider.Node) bool {
	r.Finish = finishReason(choice.Get("finish_reason"))
	r.Native = finishReason(choice.Get("native_finish_reason"))
	r.Filtered = r.Filtered || anyFiltered(choice.Get("content_filter_results"))
	message := choice.First("message", "delta")
	if !message.IsObject() {
		text := choice.Get("text")
		r.Text = text.Text()
		return text.IsText() || r.Finish != ""
	}
	readMessage(r, message)
	return true
}

func readMessage(r *provider.Reading, message provider.Node) {
	readContent(r, message.Get("content"))
	for _, key := range []string{"reasoning_content", "reasoning", "thinking"} {
		if thought := message.Get(key); !thought.Empty() {
			r.Reasoned = true
			if r.Reasoning == "" {
				r.Reasoning = thought.Text()
			}
		}
	}
	r.Reasoned = r.Reasoned || !message.Get("reasoning_details").Empty()
	r.Refused = r.Refused || strings.TrimSpace(message.Get("refusal").Text()) != ""
	r.WantsTool = len(message.Get("tool_calls").Items()) > 0 || message.Get("function_call").IsObject()
}

// readContent reads a string, or an array of typed parts of which only the text
// parts are the answer.
func readContent(r *provider.Reading, content provider.Node) {
	if content.IsText() {
		r.Text = content.Text()
		return
	}
	parts := content.Items()
	if content.IsObject() {
		parts = []provider.Node{content}
	}
	var text strings.Builder
	for _, part := range parts {
		switch kind := part.Get("type").Text(); {
		case part.IsText():
			text.WriteString(part.Text())
		case kind == "text", kind == "output_text", kind == "" && part.Get("text").IsText():
			text.WriteString(part.Get("text").Text())
		case kind == "refusal":
			r.Refused = true
		case strings.Contains(kind, "think"), strings.Contains(kind, "reason"):
			r.Reasoned = true
		case strings.Contains(kind, "tool"), strings.Contains(kind, "function"):
			r.WantsTool = true
		}
	}
	r.Text = text.String()
}

// finishReason reads a reason; some servers wrap it into an object with a type.
func finishReason(v provider.Node) string {
	if v.IsObject() {
		return v.Get("type").Token()
	}
	return v.Token()
}

// promptFiltered recognises a prompt that a filter stopped: Azure's annotations
// beside empty choices, and Gemini's block reason.
func promptFiltered(completion provider.Node) bool {
	for _, result := range completion.First("prompt_filter_results", "prompt_annotations").Items() {
		if anyFiltered(result.Get("content_filter_results")) {
			return true
		}
	}
	return !completion.At("promptFeedback", "blockReason").Empty()
}

func anyFiltered(results provider.Node) bool {
	for _, result := range results.Members() {
		if result.Get("filtered").True() {
			return true
		}
	}
	return false
}
