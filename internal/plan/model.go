package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// models resolves a provider task's model and those that may stand in for it.
func (r *resolver) models(planned *run.PlannedTask, t chain.Task, s specialist.Specialist) error {
	if err := r.model(planned, t, s); err != nil {
		return err
	}
	return r.fallbacks(planned, t, s)
}

// fromSpecialist is the source of a model that a specialist's file names. Files
// of Claude Code's agents are read as they are, so only there a word of Claude
// Code's own is passed over; whoever else says it is told.
const fromSpecialist = "specialist"

// isClaudeAlias recognises the model words of Claude Code's own agents. They mean
// something to Claude Code alone; configure `models:` to give them a meaning here.
func isClaudeAlias(model string) bool {
	return slices.Contains([]string{"inherit", "sonnet", "opus", "haiku", "opusplan", "default"}, model)
}

// model resolves a provider task's provider and model. A provider counts for the
// models of its own level and of those below: the flag's for every model, the
// specialist's not for the model of a flag.
func (r *resolver) model(planned *run.PlannedTask, t chain.Task, s specialist.Specialist) error {
	chosen := ""
	for _, candidate := range []struct{ model, provider, source string }{
		{r.wish.Model, r.wish.Provider, "flag"},
		{t.Model, t.Provider, "task"},
		{s.Model, s.Provider, fromSpecialist},
		{r.maker.Model, "", "config"},
		{demoModel(r.wish.Provider, t.Provider, s.Provider), "", "default"},
	} {
		chosen = firstOf(chosen, candidate.provider)
		if candidate.model == "" {
			continue
		}
		if r.meansNothing(candidate.model) {
			if candidate.source != fromSpecialist {
				return refuse(run.CodeModelUnresolved, "name a model, or give it a meaning under models: in the configuration",
					"task %s: model %q means nothing to a provider", planned.ID, candidate.model)
			}
			r.warn("specialist %s: model %q means nothing to a provider and is passed over; give it a meaning under models:", s.Name, candidate.model)
			continue
		}
		return r.resolve(planned, s, candidate.model, chosen, candidate.source)
	}
	return unresolved("task "+planned.ID, &provider.NoModelError{})
}

// meansNothing says that only Claude Code would know the model.
func (r *resolver) meansNothing(model string) bool {
	_, aliased := r.maker.Providers.Aliases[model]
	return !aliased && isClaudeAlias(model)
}

// demoModel is the one model that a provider has by default.
func demoModel(providers ...string) string {
	if firstOf(providers...) == "demo" {
		return "echo"
	}
	return ""
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

func (r *resolver) resolve(planned *run.PlannedTask, s specialist.Specialist, model, providerName, source string) error {
	selection, err := provider.Resolve(provider.Query{Model: model, Provider: providerName}, r.maker.Providers)
	if err != nil {
		return unresolved("task "+planned.ID, err)
	}
	planned.ModelChoice = r.choice(selection, s)
	if r.plan.Execution.ResolutionSource == "" {
		r.plan.Execution = run.Execution{
			SelectedProvider: selection.Provider, SelectedModel: selection.Model, ResolutionSource: source,
		}
	}
	return nil
}

func unresolved(what string, err error) error {
	refusal := &Refusal{Code: run.CodeModelUnresolved, Message: fmt.Sprintf("%s: %s", what, err), Err: err}
	var advised interface{ Remediation() string }
	if errors.As(err, &advised) {
		refusal.NextStep = advised.Remediation()
	}
	return refusal
}
