// Package run is the domain: what a run is, how it changes, and what it ends as.
//
// # Vocabulary
//
// A run is one request executed by one chain. A chain is a graph of tasks; a
// task is one specialist's turn, executed by a backend. The Record is the whole
// state of a run. It is a fold: Apply takes a Record and an Event and is the
// only thing that changes a status.
//
//	            events in batches                 Decide
//	workflow ──────────────────────▶ Apply ──▶ Record ──▶ Decision ──▶ activities
//	history  ──────────────────────▶ Apply ──▶ Record ──▶ Decision ──▶ (already in the history)
//
// The workflow applies events as its inputs arrive; the projector, the command
// line and MCP decode the same events from the Temporal history. Both call the
// same functions in the same order, so both hold the same Record. A test
// proves it over every recorded history.
//
// # Invariants
//
//   - Nothing here reads a clock, a file, the network or the environment.
//     Times come in with events.
//   - A status changes only along the transition tables of transition.go; any
//     other change is an error.
//   - A task of a terminal run is terminal.
//   - Finalize is total and is the one place that decides how a run ended.
//   - Within a batch the order is fixed: activity outcomes by task, accepted
//     updates, signals, cancellation last.
package run
