// Package plan turns what a user asked for into what a run is started with: the
// chain, each specialist pinned by version, each task's backend, provider and
// model, and the texts as they travel.
//
//	Wish ─▶ chain (named, listed or planned) ─▶ backends ─▶ models ─▶ run.Plan
//	  └──▶ texts ─▶ inline, or to be kept before the start ─▶ history.RunInput
//
// A task's model is a run.ModelChoice: provider, model, queue, ceiling, price and
// limits, all of which the run keeps; so are the models that may stand in for it.
// A cap on the cost is refused where a model has no price, since it could not be
// held.
//
// It is pure but for what it is given: catalogue, library, provider presence, terms
// and prices are values. The same package serves `tutti submit`, MCP and the activity that
// plans a run started by hand, so that all of them decide alike. What can be
// refused before the start is refused here, as a *Refusal.
package plan
