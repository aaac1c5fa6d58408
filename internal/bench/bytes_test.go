package bench_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"

	"github.com/tutti-dev/tutti/internal/bench"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// history is a run's whole history.
func (s *side) history(runID string) []*historypb.HistoryEvent {
	s.t.Helper()
	return testenv.History(s.t, s.temporal, runID)
}

// bill is what a run costs in Temporal.
type bill struct{ events, actions, bytes, plan int }

func billOf(events []*historypb.HistoryEvent) (b bill) {
	for _, e := range events {
		b.events++
		b.bytes += e.Size()
		switch e.GetEventType() {
		case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
			b.actions++
			for _, p := range e.GetWorkflowExecutionStartedEventAttributes().GetInput().GetPayloads() {
				b.plan += len(p.GetData())
			}
		case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, enumspb.EVENT_TYPE_TIMER_STARTED, enumspb.EVENT_TYPE_MARKER_RECORDED,
			enumspb.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:
			b.actions++
		}
	}
	return b
}

func costs(t testing.TB, report *bench.Report, sides []*side) {
	t.Helper()
	for _, shape := range []shape{chain3(), chain10(), fanOut8()} {
		for _, s := range sides {
			id, err := s.execute(t.Context(), shape)
			require.NoError(t, err)
			b := billOf(s.history(id))
			report.Measure("events, "+shape.name, "a run").Add(s.name, float64(b.events))
			report.Measure("actions, "+shape.name, "a run").Add(s.name, float64(b.actions))
			report.Measure("history, "+shape.name, "kB/run").Add(s.name, float64(b.bytes)/1e3)
		}
	}
}

// waitingEvents is how long the history of a run is whose prompt is made and which waits.
const waitingEvents = 10

// wait starts so many runs and returns when all of them wait.
func (s *side) wait(n int) {
	s.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		var err error
		ids[i], err = s.start(s.t.Context(), waiting())
		require.NoError(s.t, err)
	}
	for _, id := range ids {
		testenv.Eventually(s.t, patience, "the run waits", func() error {
			d, err := s.temporal.DescribeWorkflow(s.t.Context(), id, "")
			if err == nil && d.RawResponse.GetWorkflowExecutionInfo().GetHistoryLength() < waitingEvents {
				err = errors.New("it does not wait yet")
			}
			return err
		})
	}
	s.ask("settle")
}

// TestHistoryBesideBare holds a run's history to what B2 allows above the bare
// workflow, the plan apart: 400 bytes a task and 2 kB a run. Above what somebody
// writes by hand, who keeps neither digests nor usage, it may be more; that bound
// is where it stands, so that nobody raises it unawares.
func TestHistoryBesideBare(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	tutti := g.side(t, bench.NoMirror)
	for _, c := range []struct {
		beside      bench.Side
		aTask, aRun int
	}{
		{bench.Bare, 400, 2000},
		{bench.ByHand, 1400, 2000},
	} {
		bare := g.side(t, c.beside)
		excess := func(shape shape) int {
			ours, theirs := tutti.bill(shape), bare.bill(shape)
			require.Equal(t, theirs.events, ours.events, "%s: events", shape.name)
			require.Equal(t, theirs.actions, ours.actions, "%s: actions", shape.name)
			return (ours.bytes - ours.plan) - (theirs.bytes - theirs.plan)
		}
		three, ten := excess(chain3()), excess(chain10())
		perTask := (ten - three) / 7
		perRun := three - 3*perTask
		t.Logf("beside %s: %d bytes a task and %d bytes a run", c.beside, perTask, perRun)
		require.LessOrEqual(t, perTask, c.aTask, "beside %s: bytes a task", c.beside)
		require.LessOrEqual(t, perRun, c.aRun, "beside %s: bytes a run", c.beside)
	}
}

func (s *side) bill(shape shape) bill {
	s.t.Helper()
	id, err := s.execute(s.t.Context(), shape)
	require.NoError(s.t, err)
	return billOf(s.history(id))
}
