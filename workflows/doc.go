// Package workflows holds the one workflow, tutti.Run: a run's life.
//
// It is a loop of turns. Each turn takes what has arrived (activity outcomes,
// a cancellation), hands it to the domain as one batch, and schedules what the
// domain says to start:
//
//	arrived ──▶ run.Record.Turn ──▶ starts ──▶ activities ──▶ await ──▶ arrived …
//
// All decisions are in internal/run and are shared with the fold. The code here
// only translates between the SDK and the domain.
//
// # Rules
//
//   - Deterministic: no clock, no randomness, no environment, no map order, no JSON.
//   - One root loop and no coroutine per task.
//   - Activities run under a context that a cancellation of the workflow does not
//     touch; the loop cancels them. So a result that arrives together with the
//     cancellation still counts.
//   - An impossible transition is a bug of ours and panics: the run stays open,
//     is shown as blocked, and goes on under a mended build.
package workflows
