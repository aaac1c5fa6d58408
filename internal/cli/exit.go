package cli

import "github.com/tutti-dev/tutti/internal/run"

// exitOf is the exit code of a command that waited for a run: `submit` and
// `run watch`. A run that goes on means that the wait ended first.
func exitOf(r *run.Record) int {
	switch r.Status {
	case run.Completed, run.CompletedPrepareOnly:
		return ExitOK
	case run.AwaitingHost:
		return ExitAwaitsHost
	case run.CompletedWithFailures:
		if failsTheSameWayAgain(r) {
			return ExitConfiguration
		}
		return ExitNotCompleted
	case run.Degraded, run.Cancelled, run.Errored:
		return ExitNotCompleted
	case run.Planned, run.Running:
		if awaitsHost(r) {
			return ExitAwaitsHost // Other tasks go on meanwhile.
		}
		return ExitPlatform
	}
	return ExitNotCompleted
}

// failsTheSameWayAgain says that every task which was executed failed for want
// of configuration: a key or a model.
func failsTheSameWayAgain(r *run.Record) bool {
	failed := 0
	for i := range r.Tasks {
		t := &r.Tasks[i]
		switch t.Status {
		case run.TaskFailed:
			if t.Error == nil || (t.Error.Code != run.CodeKeyMissing && t.Error.Code != run.CodeModelUnresolved) {
				return false
			}
			failed++
		case run.TaskDone:
			return false
		default:
			// It was not executed: prepared, skipped or stopped before its turn.
		}
	}
	return failed > 0
}
