package openai

import "github.com/tutti-dev/tutti/internal/provider"

// readUsage reads token counts. The dialect's input includes cached tokens; a
// gateway whose cached counts exceed its input left them out, and then they are
// added. A total above input and output means that reasoning was left out of the
// output (xAI and Gemini do so): then the output is what the total leaves.
func readUsage(usage provider.Node) provider.Usage {
	input := usage.Get("prompt_tokens").Count()
	output := usage.Get("completion_tokens").Count()
	if input == nil && output == nil { // the names of the Responses API
		input, output = usage.Get("input_tokens").Count(), usage.Get("output_tokens").Count()
	}
	details := usage.First("prompt_tokens_details", "input_tokens_details")
	read := provider.Usage{
		InputTokens:  input,
		OutputTokens: output,
		CachedInputTokens: provider.FirstKnown(details.Get("cached_tokens").Count(), usage.Get("cache_read_input_tokens").Count(),
			usage.Get("prompt_cache_hit_tokens").Count(), usage.Get("cached_tokens").Count()),
		CacheWriteInputTokens: provider.FirstKnown(details.Get("cache_write_tokens").Count(), details.Get("cache_creation_tokens").Count(),
			usage.Get("cache_creation_input_tokens").Count()),
		ReasoningTokens: provider.FirstKnown(usage.First("completion_tokens_details", "output_tokens_details").Get("reasoning_tokens").Count(),
			usage.Get("reasoning_tokens").Count()),
	}
	if cached := provider.Sum(read.CachedInputTokens, read.CacheWriteInputTokens); input != nil && cached != nil && *cached > *input {
		read.InputTokens = provider.Sum(input, cached)
	}
	total := usage.Get("total_tokens").Count()
	if total != nil && read.InputTokens != nil && output != nil && *total > *read.InputTokens+*output {
		read.OutputTokens = provider.Count(*total - *read.InputTokens)
	}
	return read
}
