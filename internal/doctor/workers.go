package doctor

import (
	"context"
	"fmt"
	"time"
)

const checkWorkers = "workers"

// pollerAge is the age from which a poller counts as gone. A worker asks again
// at the latest after a minute, and Temporal names a poller for five.
const pollerAge = 2 * time.Minute

// Queue is the task queue that runs are started on.
type Queue interface {
	Name() string
	Pollers(ctx context.Context) (Pollers, error)
}

// Pollers are those who asked the queue for work in the last minutes.
type Pollers struct {
	Workflows, Activities []Poller
}

// Poller is one worker process, as it names itself.
type Poller struct {
	Identity string
	LastSeen time.Time
}

// workers wants somebody on both sides of the queue: one who decides and one
// who does.
func (e examination) workers(ctx context.Context) []Finding {
	queue := e.subject.Queue.Name()
	pollers, err := e.subject.Queue.Pollers(ctx)
	if err != nil {
		return []Finding{unseen(checkWorkers, err)}
	}
	workflows, activities := e.present(pollers.Workflows), e.present(pollers.Activities)
	switch {
	case workflows == 0 && activities == 0:
		return []Finding{{
			Check: checkWorkers, Level: Warning,
			Message:  fmt.Sprintf("nobody polls the task queue %s, so runs wait%s", queue, e.gone(pollers)),
			NextStep: "start `tutti worker` or `tutti dev`",
		}}
	case workflows == 0:
		return []Finding{halfServed(queue, "workflows")}
	case activities == 0:
		return []Finding{halfServed(queue, "activities")}
	}
	return []Finding{fine(checkWorkers, "task queue %s is polled by %s for workflows and %s for activities",
		queue, count(workflows, "worker"), count(activities, "worker"))}
}

func halfServed(queue, side string) Finding {
	return Finding{
		Check: checkWorkers, Level: Warning,
		Message:  fmt.Sprintf("nobody polls the task queue %s for %s, so runs wait", queue, side),
		NextStep: fmt.Sprintf("start `tutti worker --only %s`, or `tutti worker` for both", side),
	}
}

// present counts the processes that were seen lately. A process may poll on
// several connections and counts once.
func (e examination) present(pollers []Poller) int {
	seen := map[string]bool{}
	for _, p := range pollers {
		if e.subject.Now.Sub(p.LastSeen) < pollerAge {
			seen[p.Identity] = true
		}
	}
	return len(seen)
}

// gone says when the last of them was seen, if Temporal still knows.
func (e examination) gone(pollers Pollers) string {
	var last time.Time
	for _, side := range [][]Poller{pollers.Workflows, pollers.Activities} {
		for _, p := range side {
			if p.LastSeen.After(last) {
				last = p.LastSeen
			}
		}
	}
	if last.IsZero() {
		return ""
	}
	return fmt.Sprintf("; the last worker was seen %s ago", e.subject.Now.Sub(last).Round(time.Second))
}
