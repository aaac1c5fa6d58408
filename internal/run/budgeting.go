package run

import "math/big"

// promptOverhead is about what the prompt's own words and delimiters take.
const promptOverhead = 2_000

// estimate is what one attempt of a task's next call may use. Only a provider's
// call uses anything.
func (r *Record) estimate(t *Task) Charge {
	if t.Backend != BackendProvider || r.plan == nil {
		return Charge{}
	}
	choice := r.Choice(t)
	return Estimate(r.promptBytes(t), choice.Ceiling, choice.Price)
}

func (r *Record) promptBytes(t *Task) int {
	bytes := promptOverhead + r.Request.TextSize + len(t.Reason)
	for _, a := range r.Request.Attachments {
		bytes += a.Size
	}
	if s := r.plan.Specialist(t.Specialist.Name); s != nil {
		bytes += s.Prompt.Size
	}
	for _, id := range t.Needs {
		if need := r.TaskByID(id); need != nil && need.Status == TaskDone {
			bytes += need.OutputSize
		}
	}
	return bytes
}

// purse is the budget while a turn decides what to start.
type purse struct {
	budget   Budget
	spent    Charge // by calls that have ended
	reserved Charge // by calls in flight
	inFlight int
}

func (r *Record) purse() purse {
	p := purse{budget: r.Budget}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		p.spent, p.reserved = p.spent.Add(t.Charge), p.reserved.Add(t.turns.reserved)
		if t.Status == TaskRunning && !t.turns.again {
			p.inFlight++
		}
	}
	return p
}

// take reserves the estimate if the call may start: when it fits under the cap,
// or when nothing is in flight and something is left, so that at most one call
// crosses the cap.
func (p *purse) take(estimate Charge) bool {
	committed := p.spent.Add(p.reserved)
	fits := p.within(committed.Add(estimate), false)
	crosses := p.inFlight == 0 && p.within(p.spent, true)
	if !fits && !crosses {
		return false
	}
	p.reserved = p.reserved.Add(estimate)
	p.inFlight++
	return true
}

// within says whether a charge is under each cap, strictly or up to it.
func (p *purse) within(c Charge, strictly bool) bool {
	if limit := p.budget.MaxTokens; limit != nil && (c.Tokens > *limit || strictly && c.Tokens == *limit) {
		return false
	}
	if p.budget.MaxCostUSD == nil {
		return true
	}
	order := amount(c.CostUSD).Cmp(amount(*p.budget.MaxCostUSD))
	return order < 0 || order == 0 && !strictly
}

func amount(s string) *big.Rat {
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return new(big.Rat)
}

// Allowance is what the budget leaves for a task's call in flight, beside what
// others have used or reserved; nil when there is no cap.
func (r *Record) Allowance(t *Task) *Budget {
	if r.Budget == (Budget{}) {
		return nil
	}
	var others Charge
	for i := range r.Tasks {
		others = others.Add(r.Tasks[i].Charge)
		if r.Tasks[i].ID != t.ID {
			others = others.Add(r.Tasks[i].turns.reserved)
		}
	}
	var left Budget
	if limit := r.Budget.MaxTokens; limit != nil {
		tokens := max(*limit-others.Tokens, 0)
		left.MaxTokens = &tokens
	}
	if limit := r.Budget.MaxCostUSD; limit != nil {
		rest := new(big.Rat).Sub(amount(*limit), amount(others.CostUSD))
		if rest.Sign() < 0 {
			rest.SetInt64(0)
		}
		cost := Decimal(rest)
		left.MaxCostUSD = &cost
	}
	return &left
}
