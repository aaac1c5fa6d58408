package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// bill is what a history holds that costs something.
type bill struct {
	activities, updates, signals, timers, fired int
}

// events is the documented formula.
func (b bill) events() int {
	return 5 + 6*b.activities + 5*b.updates + 4*b.signals + b.timers + 4*b.fired
}

func (s *stage) bill(runID string) bill {
	s.t.Helper()
	counts := kinds(s.history(runID))
	require.Zero(s.t, counts["MarkerRecorded"]+counts["UpsertWorkflowSearchAttributes"])
	return bill{
		activities: counts["ActivityTaskScheduled"], updates: counts["WorkflowExecutionUpdateAccepted"],
		signals: counts["WorkflowExecutionSignaled"], timers: counts["TimerStarted"], fired: counts["TimerFired"],
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
			testenv.Seen(t, "%s: %d events = 5 + 6×%d activities + 5×%d updates + 4×%d signals + %d timers + 4×%d fired", name,
				len(s.history(id)), c.want.activities, c.want.updates, c.want.signals, c.want.timers, c.want.fired)
		})
	}
}
