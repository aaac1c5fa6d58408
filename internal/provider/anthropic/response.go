package anthropic

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
	message := body.Values[0]
	reading := provider.Reading{
		Model:  message.Get("model").Text(),
		Finish: message.Get("stop_reason").Token(),
		Usage:  readUsage(message.Get("usage")),
	}
	content := message.Get("content")
	if content.IsText() {
		reading.Text = content.Text()
		return reading, true
	}
	var text strings.Builder
	for _, block := range content.Items() {
		readBlock(&reading, &text, block)
	}
	reading.Text = text.String()
	return reading, content.IsArray() || (message.Get("type").Text() == "message" && reading.Finish != "")
}

// readBlock reads one content block. Adjacent text blocks are one text: the API
// splits them only to attach citations.
func readBlock(r *provider.Reading, text *strings.Builder, block provider.Node) {
	switch kind := block.Get("type").Text(); {
	case kind == "text", kind == "" && block.Get("text").IsText():
		text.WriteString(block.Get("text").Text())
	case strings.Contains(kind, "thinking"):
		r.Reasoned = true
		r.Reasoning += block.Get("thinking").Text()
	case strings.HasSuffix(kind, "tool_use"):
		r.WantsTool = true
	}
}

// readUsage reads token counts. The API's input leaves out what was read from and
// written to the cache; here input is all that was read.
func readUsage(usage provider.Node) provider.Usage {
	written := usage.Get("cache_creation_input_tokens").Count()
	if written == nil {
		byLifetime := usage.Get("cache_creation")
		written = provider.Sum(byLifetime.Get("ephemeral_5m_input_tokens").Count(), byLifetime.Get("ephemeral_1h_input_tokens").Count())
	}
	read := provider.Usage{
		CachedInputTokens:     usage.Get("cache_read_input_tokens").Count(),
		CacheWriteInputTokens: written,
		OutputTokens:          usage.Get("output_tokens").Count(),
		ReasoningTokens:       usage.Get("output_tokens_details").First("thinking_tokens", "reasoning_tokens").Count(),
	}
	if fresh := usage.Get("input_tokens").Count(); fresh != nil {
		read.InputTokens = provider.Sum(fresh, read.CachedInputTokens, written)
	}
	return read
}
