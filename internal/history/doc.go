// Package history knows what a run looks like inside Temporal: the names of
// workflow, activities, query and attributes, the payloads that stand in a
// history, and how a history reads as batches of domain events.
//
// The workflow and the fold share everything here that turns a payload or a
// failure into an event, so that the two cannot disagree:
//
//	activity result, error ──▶ TaskEvent ──▶ run.Event ◀── TaskEvent ◀── history event
//
// # Batches
//
// The SDK does not run workflow code event by event. It applies all events of a
// workflow task and then runs the code once. The fold does the same: on a
// WorkflowTaskCompleted it takes the inputs that came before that task's
// WorkflowTaskStarted and that no earlier completed task took. What comes later
// waits for the next one, save endings that the server writes.
package history
