// Package runs is what tutti does with runs by way of Temporal, from outside the
// workflow: start one, read one, follow one, cancel one, find some.
//
// Everything that is read by run ID folds that run's own history, so it works
// without a worker and without a database and is never stale. A run of another
// tenant is as good as none.
//
//	Start  ── StartWorkflow, REJECT_DUPLICATE ──▶ Started | ErrKeyConflict
//	Get    ── history ──▶ history.Folder ──▶ Folded
//	Follow ── history, long poll ──▶ Folded after each event that changed it
package runs
