// Package projector keeps the mirror true. It adds no event and no action to
// any run.
//
//	worker's commit ──▶ hint ──▶ dirty set ──▶ fold(history) ──▶ mirror
//	                              ▲
//	     sweep: closed since the watermark, open runs, rows of an older fold
//
// A hint says only that a run may have changed. It costs the worker a map
// insert. Losing every hint costs freshness, never truth: the sweep finds what
// was missed.
//
// Beside the mirror it brings the kept data of calls up to date: the attempts and
// answers of calls that were made while the store was away stand in the history.
//
// # Failures
//
// The database is down: runs are untouched, dirty runs wait with growing
// backoff and the sweep catches up. A history does not decode: that run's
// projection fails, with the event's ID in the log, and no other run's.
package projector
