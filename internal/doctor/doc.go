// Package doctor looks at everything that a run needs and says what it found,
// each finding with its next step.
//
// Vocabulary. A Subject is what is examined: one small port for each thing that
// can be looked at. A Finding is one sentence about one thing, with a Level. A
// problem also has a Cause, which decides the Outcome of the whole Report.
//
//	Subject ──▶ configuration, data directory, store, Temporal, … ──▶ Report ──▶ Outcome
//	  ports        one check a file, in this order                    findings   exit code
//
// Invariants. A check that cannot look says so in a finding and stops no other
// check; what lies behind a Temporal that does not answer is not looked at, and
// the one finding says that. An advice or a warning changes no outcome. Nothing
// is changed unless Fix is set, and then only what is safe, cannot lose
// anything, and is said: make the data directory, register search attributes,
// clear the fallback of a store that works again. No finding holds a key, a
// password or a text of a run.
package doctor
