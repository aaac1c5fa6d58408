package doctor

import (
	"context"
	"fmt"
)

const (
	checkRuns = "runs"
	// maxRuns bounds how many open runs are looked at, newest first.
	maxRuns = 50
)

// Runs are the open runs.
type Runs interface {
	// Blocked looks at the newest open runs, at most limit of them, and returns
	// the IDs of those of the tenant that stand still because workflow code
	// fails; more says that there are open runs it did not look at.
	Blocked(ctx context.Context, limit int) (blocked []string, more bool, err error)
}

// blocked looks for runs whose workflow task fails again and again: a panic in
// workflow code, or a build that does not agree with the run's history.
func (e examination) blocked(ctx context.Context) []Finding {
	blocked, more, err := e.subject.Runs.Blocked(ctx, maxRuns)
	if err != nil {
		return []Finding{unseen(checkRuns, err)}
	}
	findings := make([]Finding, 0, len(blocked))
	for _, id := range blocked {
		findings = append(findings, Finding{
			Check: checkRuns, Level: Warning,
			Message: fmt.Sprintf("%s is blocked: its workflow task fails and is tried again", id),
			NextStep: fmt.Sprintf("see why in the worker's log, and start a worker of the version that the run began with; "+
				"to give it up, run `temporal workflow terminate -w %s`", id),
		})
	}
	switch {
	case len(findings) > 0:
		return findings
	case more:
		return []Finding{fine(checkRuns, "none of the newest %d open runs is blocked; the others were not looked at", maxRuns)}
	}
	return []Finding{fine(checkRuns, "no open run is blocked")}
}
