package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// resolver fills one plan, task by task.
type resolver struct {
	maker   *Maker
	wish    Wish
	chain   chain.Chain
	plan    *run.Plan
	notices []string
}

func (r *resolver) tasks() error {
	if err := r.checkTaskBackends(); err != nil {
		return err
	}
	unasked := false
	for _, t := range r.chain.Tasks {
		s, err := r.maker.Specialists.Get(t.Specialist)
		if err != nil {
			return &Refusal{Code: run.CodeSpecialist, Message: err.Error(), Err: err}
		}
		backend, byChain, err := r.backend(t)
		if err != nil {
			return err
		}
		unasked = unasked || byChain && backend == run.BackendProvider
		planned := run.PlannedTask{
			ID: t.ID, Specialist: t.Specialist, Needs: t.Needs, Reason: t.Reason,
			Backend: backend, Continue: t.OnUpstreamFailure == chain.OnFailureContinue,
		}
		if backend == run.BackendProvider {
			if err := r.models(&planned, t, s); err != nil {
				return err
			}
		}
		r.plan.Tasks = append(r.plan.Tasks, planned)
		r.pin(s, backend)
	}
	if unasked {
		r.notices = append(r.notices, "the chain chooses the provider backend: this run calls a paid model API")
	}
	r.plan.Execution.RequestedModel = r.wish.Model
	return r.checkBudget()
}

func (r *resolver) checkTaskBackends() error {
	for _, id := range slices.Sorted(maps.Keys(r.wish.TaskBackends)) {
		if !slices.ContainsFunc(r.chain.Tasks, func(t chain.Task) bool { return t.ID == id }) {
			return refuse(run.CodeChainInvalid, "its tasks are "+r.taskIDs(), "chain %s has no task %q", r.chain.Name, id)
		}
	}
	return nil
}

func (r *resolver) taskIDs() string {
	var ids []string
	for _, t := range r.chain.Tasks {
		ids = append(ids, t.ID)
	}
	return strings.Join(ids, ", ")
}

// backend resolves a task's backend: the task's flag, the flag, the chain, the
// configuration, the default.
func (r *resolver) backend(t chain.Task) (backend run.Backend, byChain bool, err error) {
	for _, candidate := range []struct {
		value   string
		byChain bool
	}{
		{r.wish.TaskBackends[t.ID], false},
		{r.wish.Backend, false},
		{t.Backend, true},
		{string(r.maker.Backend), false},
		{string(r.maker.Default), false},
	} {
		if candidate.value == "" {
			continue
		}
		backend := run.Backend(candidate.value)
		if !slices.Contains(run.Backends(), backend) {
			return "", false, refuse(run.CodeRunInputInvalid, "use inline, provider or host", "unknown backend %q", candidate.value)
		}
		return backend, candidate.byChain, nil
	}
	return run.BackendInline, false, nil
}

// pin adds a specialist to the plan once.
func (r *resolver) pin(s specialist.Specialist, backend run.Backend) {
	if backend == run.BackendProvider && len(s.Tools) > 0 {
		r.warn("specialist %s: its tools are for hosts; a provider's model gets none", s.Name)
	}
	if r.plan.Specialist(s.Name) != nil {
		return
	}
	for _, warning := range s.Warnings {
		r.warn("%s", warning)
	}
	r.plan.Specialists = append(r.plan.Specialists, run.PinnedSpecialist{
		SpecialistRef: run.SpecialistRef{Name: s.Name, ID: s.ID, Version: s.Version},
		Prompt:        content.Of(s.Prompt), Tools: s.Tools,
		MaxTokens: s.MaxTokens, Temperature: s.Temperature, Reasoning: s.Reasoning,
		Effort: s.Effort, Extras: s.Extras,
	})
}

func (r *resolver) warn(format string, args ...any) {
	warning := fmt.Sprintf(format, args...)
	if !slices.Contains(r.plan.Warnings, warning) {
		r.plan.Warnings = append(r.plan.Warnings, warning)
	}
}
