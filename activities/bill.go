package activities

import (
	"errors"
	"math/big"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

// bill sums up what a call's attempts have used, and what counts against the
// run's budget.
type bill struct {
	usage    run.Usage
	charge   run.Charge
	attempts int
}

// add counts one attempt. What nobody knows counts at the estimate.
func (b *bill) add(u run.Usage, estimate run.Charge) {
	b.attempts++
	b.usage = b.usage.Add(u)
	if u.InputTokens == nil || u.OutputTokens == nil {
		b.charge = b.charge.Add(estimate)
		return
	}
	charge := run.Charge{Tokens: *u.InputTokens + *u.OutputTokens}
	if u.CostUSD != nil {
		charge.CostUSD = *u.CostUSD
	}
	b.charge = b.charge.Add(charge)
}

// allows says whether another attempt may be made: the first always, a further
// one only within what the budget left for this call.
func (b *bill) allows(estimate run.Charge, allowance *run.Budget) bool {
	if allowance == nil || b.attempts == 0 {
		return true
	}
	next := b.charge.Add(estimate)
	if most := allowance.MaxTokens; most != nil && next.Tokens > *most {
		return false
	}
	return allowance.MaxCostUSD == nil || !above(next.CostUSD, *allowance.MaxCostUSD)
}

// above compares decimals; what cannot be read is above everything.
func above(amount, limit string) bool {
	if amount == "" {
		return false
	}
	a, okA := new(big.Rat).SetString(amount)
	b, okB := new(big.Rat).SetString(limit)
	return !okA || !okB || a.Cmp(b) > 0
}

// estimate is what one attempt may use at most, as far as anybody can say before.
func (c *call) estimateOf(promptBytes int) run.Charge {
	ceiling := c.in.Ceiling
	if ceiling == 0 {
		ceiling = c.in.MaxTokens
	}
	if ceiling == 0 {
		ceiling = provider.DefaultMaxTokens
	}
	return run.Estimate(promptBytes, ceiling, c.in.Price)
}

// usageOf is what an attempt used and cost. A call without a price costs nobody
// knows what, which is not nothing.
func (c *call) usageOf(o provider.Outcome) run.Usage {
	u := run.Usage{
		InputTokens: o.Usage.InputTokens, CachedInputTokens: o.Usage.CachedInputTokens,
		CacheWriteInputTokens: o.Usage.CacheWriteInputTokens,
		OutputTokens:          o.Usage.OutputTokens, ReasoningTokens: o.Usage.ReasoningTokens,
	}
	if c.in.Price == nil {
		if o.Class.Success() || u.InputTokens != nil || u.OutputTokens != nil {
			u.UnpricedCalls = 1
		}
		return u
	}
	cost, err := c.in.Price.Cost(u)
	if err == nil {
		decimal := run.Decimal(cost)
		u.CostUSD = &decimal
	} else if !errors.Is(err, run.ErrUsageUnknown) {
		u.UnpricedCalls = 1
		c.a.d.Log.Warn("a call's cost cannot be computed", "run_id", c.in.RunID, "task", c.in.TaskID, "error", err)
	}
	return u
}
