package run

import "math/big"

// Usage counts what was read, written and paid. A nil count is unknown, which
// is not the same as zero.
type Usage struct {
	InputTokens           *int64  `json:"inputTokens"`
	CachedInputTokens     *int64  `json:"cachedInputTokens"`
	CacheWriteInputTokens *int64  `json:"cacheWriteInputTokens"`
	OutputTokens          *int64  `json:"outputTokens"`
	ReasoningTokens       *int64  `json:"reasoningTokens"`
	CostUSD               *string `json:"costUsd"`
	UnpricedCalls         int     `json:"unpricedCalls"`
	CallsUncertain        int     `json:"callsUncertain"`
}

// Add returns the sum. Known and unknown add up to what is known.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:           addCount(u.InputTokens, v.InputTokens),
		CachedInputTokens:     addCount(u.CachedInputTokens, v.CachedInputTokens),
		CacheWriteInputTokens: addCount(u.CacheWriteInputTokens, v.CacheWriteInputTokens),
		OutputTokens:          addCount(u.OutputTokens, v.OutputTokens),
		ReasoningTokens:       addCount(u.ReasoningTokens, v.ReasoningTokens),
		CostUSD:               addDecimal(u.CostUSD, v.CostUSD),
		UnpricedCalls:         u.UnpricedCalls + v.UnpricedCalls,
		CallsUncertain:        u.CallsUncertain + v.CallsUncertain,
	}
}

func addCount(a, b *int64) *int64 {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	sum := *a + *b
	return &sum
}

func addDecimal(a, b *string) *string {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	x, okX := new(big.Rat).SetString(*a)
	y, okY := new(big.Rat).SetString(*b)
	if !okX || !okY {
		return nil
	}
	sum := Decimal(x.Add(x, y))
	return &sum
}

// Decimal writes an exact decimal without trailing zeros. Prices and sums are
// decimals, so at most 18 places lose nothing.
func Decimal(r *big.Rat) string {
	s := r.FloatString(18)
	end := len(s)
	for end > 0 && s[end-1] == '0' {
		end--
	}
	if end > 0 && s[end-1] == '.' {
		end--
	}
	return s[:end]
}
