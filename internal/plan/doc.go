// Package plan turns what a user asked for into what a run is started with: the
// chain, each specialist pinned by version, each task's backend, provider and
// model, and the texts as they travel.
//
//	Wish ─▶ chain (named, listed or planned) ─▶ backends ─▶ models ─▶ run.Plan
//	  └──▶ texts ─▶ inline, or to be kept before the start ─▶ history.RunInput
//
// It is pure but for what it is given: catalogue, library and provider presence
// are values. The same package serves `tutti submit`, MCP and the activity that
// plans a run started by hand, so that all of them decide alike. What can be
// refused before the start is refused here, as a *Refusal.
package plan
