// Package kept records in the store what an activity could not record itself,
// because the store was away: the attempts that travelled in a result, a failure
// or a heartbeat, and the answer that one of them brought.
//
// Everything is inserted if it is absent, by the attempt's source and by the
// call's prompt, so it may be recorded by several at once, again and again: the
// activity's next attempt, and every projection of the run.
package kept
