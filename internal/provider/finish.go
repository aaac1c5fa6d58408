package provider

// finishKind is what a finish reason means, in whatever words.
type finishKind int

const (
	finishStop finishKind = iota
	finishLength
	finishWindow
	finishFilter
	finishRefusal
	finishTools
	finishPaused
	finishError
	finishOverloaded
	finishTimeout
)

// finishWords lists the finish reasons of both dialects and of the servers that
// pass their own through, by meaning. What is not listed and came with text is
// taken for a stop.
func finishWords() map[finishKind][]string {
	return map[finishKind][]string{
		finishStop:       {"stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed", "finished", "done"},
		finishLength:     {"length", "max_tokens", "max_output_tokens", "model_length", "max_length", "token_limit"},
		finishWindow:     {"model_context_window_exceeded", "context_length_exceeded"},
		finishFilter:     {"content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii", "sensitive", "guardrail_intervened", "image_safety"},
		finishRefusal:    {"refusal"},
		finishTools:      {"tool_calls", "function_call", "tool_use", "tool_call", "malformed_function_call"},
		finishPaused:     {"pause_turn"},
		finishError:      {"error", "network_error", "cancelled", "canceled", "abort", "aborted", "failed", "internal_error"},
		finishOverloaded: {"insufficient_system_resource", "overloaded"},
		finishTimeout:    {"timeout", "time_limit"},
	}
}

func finishKindOf(reason string) (finishKind, bool) {
	flat := flatten(reason)
	for kind, words := range finishWords() {
		for _, word := range words {
			if flatten(word) == flat {
				return kind, true
			}
		}
	}
	return finishStop, false
}
