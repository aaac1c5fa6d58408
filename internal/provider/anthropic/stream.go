package anthropic

import (
	"strings"

	"github.com/tutti-dev/tutti/internal/provider"
)

// readStream assembles a message that came as a stream although none was asked for.
// It is an answer only if the stream came to its end.
func readStream(body provider.Body) (provider.Reading, bool) {
	var (
		reading        provider.Reading
		text, thoughts strings.Builder
		started, ended bool
		last           provider.Usage
	)
	for _, event := range body.Values {
		switch event.Get("type").Text() {
		case "message_start":
			started = true
			message := event.Get("message")
			reading.Model = message.Get("model").Text()
			reading.Usage = readUsage(message.Get("usage"))
		case "content_block_start":
			readBlock(&reading, &text, event.Get("content_block"))
		case "content_block_delta":
			delta := event.Get("delta")
			text.WriteString(delta.Get("text").Text())
			thoughts.WriteString(delta.Get("thinking").Text())
		case "message_delta":
			reading.Finish = event.At("delta", "stop_reason").Token()
			last = readUsage(event.Get("usage"))
		case "message_stop":
			ended = true
		}
	}
	reading.Text = text.String()
	reading.Reasoning += thoughts.String()
	reading.Usage = latest(reading.Usage, last)
	return reading, started && (ended || reading.Finish != "")
}

// latest prefers the counts of the closing event, which are cumulative.
func latest(first, last provider.Usage) provider.Usage {
	return provider.Usage{
		InputTokens:           provider.FirstKnown(last.InputTokens, first.InputTokens),
		CachedInputTokens:     provider.FirstKnown(last.CachedInputTokens, first.CachedInputTokens),
		CacheWriteInputTokens: provider.FirstKnown(last.CacheWriteInputTokens, first.CacheWriteInputTokens),
		OutputTokens:          provider.FirstKnown(last.OutputTokens, first.OutputTokens),
		ReasoningTokens:       provider.FirstKnown(last.ReasoningTokens, first.ReasoningTokens),
	}
}
