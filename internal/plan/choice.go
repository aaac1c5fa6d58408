package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// choice is a model with the terms of its calls for one specialist.
func (r *resolver) choice(selection provider.Selection, s specialist.Specialist) run.ModelChoice {
	terms := r.maker.Terms(selection.Provider)
	chosen := run.ModelChoice{
		Provider: selection.Provider, Model: selection.Model,
		Queue: terms.Queue, Limits: terms.Limits,
		Ceiling: cmp.Or(s.MaxTokens, terms.MaxTokens, provider.DefaultMaxTokens),
	}
	// Reasoning is paid as output and comes out of the same ceiling.
	if s.Effort != "" {
		chosen.Ceiling += provider.ReasoningHeadroom
	}
	if r.maker.Prices != nil {
		if price, known := r.maker.Prices.For(chosen.Provider, chosen.Model); known {
			chosen.Price = &price
		}
	}
	return chosen
}

// fallbacks resolves the models that may stand in for the task's own. One that
// cannot be resolved is refused now: it would be found out when it is needed.
func (r *resolver) fallbacks(planned *run.PlannedTask, t chain.Task, s specialist.Specialist) error {
	seen := []string{planned.Name()}
	for _, model := range s.FallbackModels {
		what := fmt.Sprintf("specialist %s: fallback model %q", s.Name, model)
		if r.meansNothing(model) {
			return refuse(run.CodeModelUnresolved, "give it a meaning under models: in the configuration, or name a model",
				"%s means nothing to a provider", what)
		}
		selection, err := r.standIn(model, t, s)
		if err != nil {
			return unresolved(what, err)
		}
		chosen := r.choice(selection, s)
		switch {
		case r.wish.Provider != "" && chosen.Provider != r.wish.Provider:
			r.warn("%s is passed over: it is of provider %s, and only %s was asked for", what, chosen.Provider, r.wish.Provider)
		case !slices.Contains(seen, chosen.Name()):
			seen = append(seen, chosen.Name())
			planned.Fallbacks = append(planned.Fallbacks, chosen)
		}
	}
	return nil
}

// standIn resolves a fallback's name. A configured provider's prefix in it says
// more than the provider of the task, which is about the task's own model.
func (r *resolver) standIn(model string, t chain.Task, s specialist.Specialist) (provider.Selection, error) {
	query := provider.Query{Model: model}
	if !r.maker.Providers.Names(model) {
		query.Provider = firstOf(r.wish.Provider, t.Provider, s.Provider)
	}
	return provider.Resolve(query, r.maker.Providers)
}
