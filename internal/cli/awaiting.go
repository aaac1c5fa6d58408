package cli

import (
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// awaitsHost says that a task waits for a host, whatever else goes on in the run.
func awaitsHost(r *run.Record) bool {
	return !r.Status.IsTerminal() && r.Counts()[run.TaskAwaitingHost] > 0
}

// hostAdvice is the next step for a run of which a task waits for a host.
func hostAdvice(r *run.Record) string {
	what := "a prompt waits"
	if n := r.Counts()[run.TaskAwaitingHost]; n > 1 {
		what = fmt.Sprintf("%d prompts wait", n)
	}
	return fmt.Sprintf("run %s: %s for a host; take one with `tutti host next %s`", r.RunID, what, run.ShellWord(r.RunID))
}

// claimWords says in whose hands an awaiting task is, and is empty when it is in
// nobody's.
func claimWords(t *run.Task, now time.Time, zone *time.Location) string {
	if t.Status != run.TaskAwaitingHost || t.Host == nil || t.Host.ClaimExpires == nil {
		return ""
	}
	if !now.Before(*t.Host.ClaimExpires) {
		return "claim of " + t.Host.ClaimedBy + " expired"
	}
	return "claimed by " + t.Host.ClaimedBy + " until " + moment(t.Host.ClaimExpires, zone)
}
