package config

import "github.com/tutti-dev/tutti/internal/run"

// ParseBudget reads the caps of a run as they were given on the command line, by
// the rules of the settings budget.maxCostUsd and budget.maxTokens. Nil means not
// given. The error is an *Error that names the flag.
func ParseBudget(maxCost, maxTokens *string) (run.Budget, error) {
	var given Config
	table := settings()
	for _, o := range []override{
		{"budget.maxCostUsd", "--max-cost", maxCost},
		{"budget.maxTokens", "--max-tokens", maxTokens},
	} {
		f, ok := table.find(o.key)
		if !ok || o.value == nil {
			continue
		}
		if err := f.set(&given, *o.value); err != nil {
			return run.Budget{}, refusedAt(Origin{}, o.flag, err)
		}
	}
	return given.Budget, nil
}
