package workflows_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// bill is what a history holds that costs something.
type bill struct {
	activities, updates, signals, timers, fired, stopped int
}

// events is the documented formula, and one more for a timer that a result stops.
func (b bill) events() int {
	return 5 + 6*b.activities + 5*b.updates + 4*b.signals + b.timers + 4*b.fired + b.stopped
}

// String says the formula with its figures, without what there is none of.
func (b bill) String() string {
	terms := "5"
	for _, term := range []struct {
		each, n int
		of      string
	}{{6, b.activities, "activities"}, {5, b.updates, "updates"}, {4, b.signals, "signals"}, {1, b.timers, "timers"}, {4, b.fired, "fired"}, {1, b.stopped, "stopped"}} {
		if term.n > 0 {
			terms += fmt.Sprintf(" + %d×%d %s", term.each, term.n, term.of)
		}
	}
	return terms
}

func (s *stage) bill(runID string) bill {
	s.t.Helper()
	counts := kinds(s.history(runID))
	require.Zero(s.t, counts["MarkerRecorded"]+counts["UpsertWorkflowSearchAttributes"])
	return bill{
		activities: counts["ActivityTaskScheduled"], updates: counts["WorkflowExecutionUpdateAccepted"],
		signals: counts["WorkflowExecutionSignaled"], timers: counts["TimerStarted"], fired: counts["TimerFired"], stopped: counts["TimerCanceled"],
	}
}

// B1: a run has as many events as the formula says: each input in a workflow task of its own.
func TestAHostRunCostsWhatTheFormulaSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		timeout time.Duration
		play    func(s *stage, id string)
		want    bill
	}{
		"two updates":       {0, handIn("one", "x", "two", "y"), bill{activities: 2, updates: 2}},
		"a timer that ends": {time.Second, nil, bill{activities: 1, timers: 1, fired: 1}},
		"a timer that is stopped": {
			time.Minute, handIn("one", "x", "two", "y"), bill{activities: 2, updates: 2, timers: 2, stopped: 2},
		},
		"two signals": {0, func(s *stage, id string) {
			for _, task := range []string{"one", "two"} {
				s.until(id, task+" awaits", awaits(task))
				s.signal(id, done(task, "x"))
			}
		}, bill{activities: 2, signals: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.work()
			plan := of(run.BackendHost, run.BackendHost)
			plan.HostTimeoutMS = c.timeout.Milliseconds()
			id := s.start(plan)
			if c.play != nil {
				c.play(s, id)
			}
			s.finished(id)
			require.Equal(t, c.want, s.bill(id))
			require.Len(t, s.history(id), c.want.events())
			testenv.Seen(t, "%s: %d events = %s", name, len(s.history(id)), s.bill(id))
		})
	}
}
