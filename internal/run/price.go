package run

import (
	"errors"
	"fmt"
	"math/big"
)

// Price is what a model costs, in US dollars per million tokens, as exact
// decimals. It is pinned in a run, so that a later price changes no decision.
type Price struct {
	// ID names the row of the price table that it was taken from.
	ID         string `json:"id"`
	Input      string `json:"input"`
	Cached     string `json:"cached,omitempty"`     // default Input
	CacheWrite string `json:"cacheWrite,omitempty"` // default Input
	Output     string `json:"output"`
	Reasoning  string `json:"reasoning,omitempty"` // default Output
}

// ErrUsageUnknown says that a cost cannot be told, because a count is unknown.
var ErrUsageUnknown = errors.New("usage is unknown")

// Cost is what a call cost, exactly. Cached and cache-write input are parts of
// the input, reasoning is a part of the output; a part that is unknown is taken
// at the price of the whole.
func (p Price) Cost(u Usage) (*big.Rat, error) {
	if u.InputTokens == nil || u.OutputTokens == nil {
		return nil, ErrUsageUnknown
	}
	cached, written, reasoning := known(u.CachedInputTokens), known(u.CacheWriteInputTokens), known(u.ReasoningTokens)
	total := new(big.Rat)
	for _, part := range []struct {
		tokens         int64
		price, instead string
	}{
		{*u.InputTokens - cached - written, p.Input, ""},
		{cached, p.Cached, p.Input},
		{written, p.CacheWrite, p.Input},
		{*u.OutputTokens - reasoning, p.Output, ""},
		{reasoning, p.Reasoning, p.Output},
	} {
		price, err := decimal(part.price, part.instead)
		if err != nil {
			return nil, fmt.Errorf("price %s: %w", p.ID, err)
		}
		total.Add(total, price.Mul(price, big.NewRat(max(part.tokens, 0), 1_000_000)))
	}
	return total, nil
}

func known(count *int64) int64 {
	if count == nil {
		return 0
	}
	return *count
}

func decimal(value, instead string) (*big.Rat, error) {
	if value == "" {
		value = instead
	}
	r, ok := new(big.Rat).SetString(value)
	if !ok || r.Sign() < 0 {
		return nil, fmt.Errorf("%q is no amount", value)
	}
	return r, nil
}

// Charge is what counts against a budget: what is known to have been used, and
// the estimate of every attempt whose usage nobody knows.
type Charge struct {
	CostUSD string `json:"costUsd,omitempty"`
	Tokens  int64  `json:"tokens,omitempty"`
}

// Add returns the sum of two charges.
func (c Charge) Add(d Charge) Charge {
	return Charge{CostUSD: addAmounts(c.CostUSD, d.CostUSD), Tokens: c.Tokens + d.Tokens}
}

func addAmounts(a, b string) string {
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	sum := addDecimal(&a, &b)
	if sum == nil {
		return ""
	}
	return *sum
}

// BytesPerToken is the rule of thumb by which a prompt's tokens are estimated
// before anybody has counted them.
const BytesPerToken = 4

// Estimate is what one attempt may use: its prompt, and an answer up to the ceiling.
func Estimate(promptBytes, ceiling int, price *Price) Charge {
	prompt, answer := int64((promptBytes+BytesPerToken-1)/BytesPerToken), int64(ceiling)
	charge := Charge{Tokens: prompt + answer}
	if price == nil {
		return charge
	}
	if cost, err := price.Cost(Usage{InputTokens: &prompt, OutputTokens: &answer}); err == nil {
		charge.CostUSD = Decimal(cost)
	}
	return charge
}
