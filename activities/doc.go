// Package activities is what a run does in the outside world: make a prompt, ask
// a model, resolve a plan that was started by hand.
//
//	ExecuteTask:  texts ─▶ prompt ─▶ stored answer? ─▶ attempt row ─▶ call ─▶ answer row ─▶ result
//	MaterializePrompt:  texts ─▶ prompt ─▶ result
//	ResolvePlan:  {"request", "chain"} ─▶ plan
//	InspectQueue:  task queue ─▶ number of pollers
//
// # Failures
//
// Inside, errors are typed and wrapped. The outermost error that leaves an
// activity is always Temporal's ApplicationError, whose type is the error code
// and whose details are a history.FailureDetail: a wrapped non-retryable error
// would be retried. Temporal alone tries again; each failure says by its code
// whether that helps and how long to wait.
//
// # Paid once
//
// A stored answer is looked for before a call and is the answer, whoever stored
// it. An attempt is recorded before its request and closed after it: answered,
// failed, or abandoned when it was cut off or its answer came second. With the
// store down the first attempt may call and returns its answer inline; a later one
// waits for the store and asks nobody. What the store lacks travels in heartbeats,
// results and failures, and is recorded by the next attempt or the projector.
//
// A call whose heartbeats do not reach Temporal fences itself before the server
// would give it to another worker (Beats).
//
// # The bill
//
// A result or failure carries what all attempts of its activity used, at the
// price that the run has pinned, and what counts against the run's budget: an
// attempt whose usage nobody knows counts there at its estimate.
package activities
