package plan

import (
	"cmp"
	"math/big"
	"regexp"

	"github.com/tutti-dev/tutti/internal/run"
)

// budget lays what was asked for over the default, cap by cap: who bounds the
// tokens of one run does not lift the cap on its cost.
func (m *Maker) budget(asked run.Budget) run.Budget {
	return run.Budget{
		MaxCostUSD: cmp.Or(asked.MaxCostUSD, m.Budget.MaxCostUSD),
		MaxTokens:  cmp.Or(asked.MaxTokens, m.Budget.MaxTokens),
	}
}

// amount is a decimal of a length that can be computed with exactly.
var amount = regexp.MustCompile(`^[0-9]{1,18}(\.[0-9]{1,18})?$`)

// checkCaps refuses caps that are no amounts. The command line and the
// configuration have narrower rules of their own; a wish may come from elsewhere.
func checkCaps(b run.Budget) error {
	if b.MaxCostUSD != nil && !amount.MatchString(*b.MaxCostUSD) {
		return refuse(run.CodeRunInputInvalid, "write dollars in plain digits, as in 0.25", "the cost cap is no amount of dollars")
	}
	if b.MaxTokens != nil && *b.MaxTokens < 0 {
		return refuse(run.CodeRunInputInvalid, "write 0 or more", "the token cap is below zero")
	}
	return nil
}

// plainAmount writes equal amounts equally: 1.50 is 1.5.
func plainAmount(written string) string {
	if value, ok := new(big.Rat).SetString(written); ok {
		return run.Decimal(value)
	}
	return written
}

// checkBudget refuses a cap on the cost of what has no price: it could not be
// held. Fallbacks count, because they may be asked too.
func (r *resolver) checkBudget() error {
	if r.plan.Budget.MaxCostUSD == nil {
		return nil
	}
	for i := range r.plan.Tasks {
		t := &r.plan.Tasks[i]
		if t.Backend != run.BackendProvider {
			continue
		}
		for _, choice := range append([]run.ModelChoice{t.ModelChoice}, t.Fallbacks...) {
			if choice.Price == nil {
				return r.unpriced(choice)
			}
		}
	}
	return nil
}

func (r *resolver) unpriced(choice run.ModelChoice) error {
	next := "set its price in prices.yaml, or use --max-tokens instead"
	if r.wish.Budget.MaxCostUSD == nil {
		next = "set its price in prices.yaml, or cap the tokens instead: budget.maxTokens in place of budget.maxCostUsd in the configuration"
	}
	return refuse(run.CodeRunInputInvalid, next, "model %s has no price, so the cost cap of $%s cannot be kept",
		choice.Name(), *r.plan.Budget.MaxCostUSD)
}
