package provider

// Usage counts tokens. A nil count is unknown, which is not zero.
type Usage struct {
	// InputTokens is all that was read, cached and cache-write included.
	InputTokens *int64 `json:"inputTokens"`
	// CachedInputTokens is the part of the input that came from a cache.
	CachedInputTokens *int64 `json:"cachedInputTokens"`
	// CacheWriteInputTokens is the part of the input that was written to a cache.
	CacheWriteInputTokens *int64 `json:"cacheWriteInputTokens"`
	// OutputTokens is all that was written, reasoning included.
	OutputTokens *int64 `json:"outputTokens"`
	// ReasoningTokens is the part of the output that was reasoning.
	ReasoningTokens *int64 `json:"reasoningTokens"`
}

// Count is a known count.
func Count(n int64) *int64 { return &n }

// Sum adds counts; the unknown ones add nothing. Without any known count the sum
// is unknown.
func Sum(counts ...*int64) *int64 {
	var total int64
	known := false
	for _, c := range counts {
		if c != nil {
			total += *c
			known = true
		}
	}
	if !known {
		return nil
	}
	return &total
}

// FirstKnown returns the first count that is known, else nil.
func FirstKnown(counts ...*int64) *int64 {
	for _, c := range counts {
		if c != nil {
			return c
		}
	}
	return nil
}
