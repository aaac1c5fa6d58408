package cli

import (
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// isStale says that a run has been waiting for a host without any progress for
// that long. It is advice and changes nothing.
func isStale(r *run.Record, after time.Duration, now time.Time) bool {
	if r.Status.IsTerminal() || r.UpdatedAt == nil {
		return false
	}
	return r.Counts()[run.TaskAwaitingHost] > 0 && now.Sub(*r.UpdatedAt) >= after
}
