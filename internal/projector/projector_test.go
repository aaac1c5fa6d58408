package projector_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// running runs a projector until the test ends.
func running(t *testing.T, p *projector.Projector) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// never is a time after which a test has long ended.
const never = time.Hour

func TestHintsAloneLeadToRowsThatEqualTheFold(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s, dirty := newStage(t), projector.NewDirty()
		running(t, projector.New(s.runs, mirror, dirty, projector.Options{SweepEvery: never, OpenEvery: never}))
		s.work(dirty)

		good, bad, cancelled, open := s.start("one", "two", "three"), s.start("one", "bad", "three"), s.start("held", "two"), s.start("one", "held")
		s.held(cancelled)
		require.NoError(t, s.runs.Cancel(t.Context(), cancelled))
		for _, id := range []string{good, bad, cancelled} {
			s.finished(id)
		}
		s.held(open)
		for _, id := range []string{good, bad, cancelled, open} {
			testenv.Eventually(t, patience, "the row of "+id, func() error { return s.differs(mirror, id) })
		}
		require.Len(t, s.history(good), 5+6*3, "projecting adds no event")
	})
}

func TestWithoutAnyHintOneSweepRepairsEveryRow(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s := newStage(t)
		s.work(projector.NewDirty()) // Nobody reads this set: all hints are lost.
		good, bad, terminated, open := s.start("one", "two", "three"), s.start("bad"), s.start("one", "held"), s.start("held")
		s.finished(good)
		s.finished(bad)
		s.held(terminated)
		s.held(open)
		require.NoError(t, s.client.TerminateWorkflow(t.Context(), terminated, "", "the machine room is on fire"))
		s.listed(3, 1)

		p := projector.New(s.runs, mirror, projector.NewDirty(), projector.Options{})
		require.NoError(t, p.Sweep(t.Context(), time.Now(), true))
		all := []string{good, bad, terminated, open}
		for _, id := range all {
			s.requireRow(mirror, id)
		}
		row, err := mirror.LoadRun(t.Context(), "default", terminated)
		require.NoError(t, err)
		require.Equal(t, run.Errored, row.Record.Status)
		require.Equal(t, run.CodeRunTerminated, row.Record.Error.Code)
		require.Contains(t, row.Record.Error.Message, "the machine room is on fire")
		require.Equal(t, run.TaskDone, row.Record.Tasks[0].Status)
		require.Equal(t, run.TaskCancelled, row.Record.Tasks[1].Status, "no task of an ended run is open")
		require.Len(t, s.history(good), 5+6*3)
		testenv.Seen(t, "all hints lost: one sweep repaired the rows of %d runs; the terminated one is %s, %s", len(all), row.Record.Status, row.Record.Error.Code)
	})
}

func TestTheMirrorCatchesUpWhenItsDatabaseIsBack(t *testing.T) {
	t.Parallel()
	server := testenv.StartPostgres(t)
	_, _, err := postgres.Migrate(t.Context(), server.DSN())
	require.NoError(t, err)
	mirror := openPostgres(t, server.DSN())
	server.Stop()

	s, dirty := newStage(t), projector.NewDirty()
	running(t, projector.New(s.runs, mirror, dirty, projector.Options{SweepEvery: 200 * time.Millisecond}))
	s.work(dirty)
	ids := []string{s.start("one"), s.start("one", "two"), s.start("bad"), s.start("one", "two", "three"), s.start("one", "bad", "three")}
	for _, id := range ids {
		s.finished(id)
		require.ErrorIs(t, s.differs(mirror, id), store.ErrUnavailable)
	}
	server.Start()
	for _, id := range ids {
		testenv.Eventually(t, patience, "the row of "+id, func() error { return s.differs(mirror, id) })
	}
}

// prefix is a source whose history ends earlier than the run's does.
type prefix struct {
	projector.Source
	temporalRunID string
	events        []*historypb.HistoryEvent
}

// Whole implements projector.Source.
func (p *prefix) Whole(_ context.Context, runID string) (runs.Whole, error) {
	return runs.Whole{RunID: runID, TemporalRunID: p.temporalRunID, Events: p.events}, nil
}

// Fold implements projector.Source.
func (p *prefix) Fold(w runs.Whole) (history.Folded, error) {
	return history.Fold(w.RunID, w.TemporalRunID, w.Events, converter.GetDefaultDataConverter())
}

func TestProjectionsThatAreLateDoubledOrOutOfOrderChangeNothing(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s := newStage(t)
		s.work(projector.NewDirty())
		id := s.start("one", "two")
		s.finished(id)
		events := s.history(id)
		current, err := s.runs.Get(t.Context(), "default", id)
		require.NoError(t, err)

		source := &prefix{temporalRunID: current.Record.TemporalRunID}
		p := projector.New(source, mirror, projector.NewDirty(), projector.Options{})
		longest := 0
		order := rand.New(rand.NewPCG(1, 2)).Perm(2 * len(events))
		for _, n := range append(order, len(events)-1, 0) {
			n = n%len(events) + 1
			longest = max(longest, n)
			source.events = events[:n]
			require.NoError(t, p.Project(t.Context(), id))
			row, err := mirror.LoadRun(t.Context(), "default", id)
			require.NoError(t, err)
			require.Equal(t, int64(longest), row.Record.LastEventID)
		}
		s.requireRow(mirror, id)
		testenv.Seen(t, "%d projections late, doubled and out of order: the row never went back from event %d", len(order)+2, longest)
	})
}

func TestARunThatDoesNotDecodeStopsOnlyItsOwnProjection(t *testing.T) {
	t.Parallel()
	s, mirror := newStage(t), openFiles(t)
	garbage := func(id string) {
		_, err := s.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
			ID: id, TaskQueue: history.DefaultTaskQueue,
		}, history.WorkflowType, 42)
		require.NoError(t, err)
	}
	garbage("run-picked-up")
	s.work(projector.NewDirty())
	good := s.start("one")
	s.finished(good)
	err := s.client.GetWorkflow(t.Context(), "run-picked-up", "").Get(t.Context(), nil)
	require.ErrorContains(t, err, "unable to decode")
	_, err = s.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "run-waiting", TaskQueue: "nobody-polls-this",
	}, history.WorkflowType, "neither is this")
	require.NoError(t, err)
	s.listed(2, 1)

	p := projector.New(s.runs, mirror, projector.NewDirty(), projector.Options{})
	require.NoError(t, p.Sweep(t.Context(), time.Now(), true))
	s.requireRow(mirror, good)
	page, err := mirror.ListRuns(t.Context(), store.Query{Tenant: "default"})
	require.NoError(t, err)
	require.Len(t, page.Runs, 1)
	broken := []string{"run-picked-up", "run-waiting"}
	for _, id := range broken {
		require.ErrorContains(t, p.Project(t.Context(), id), "event 1 (WorkflowExecutionStarted)")
	}
	testenv.Seen(t, "%d histories that do not decode are named with their event; %d run beside them has its row", len(broken), len(page.Runs))
}

func TestARunStartedByHandIsNobodysUntilItsPlanIsThere(t *testing.T) {
	t.Parallel()
	s, mirror := newStage(t), openFiles(t)
	_, err := s.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "run-by-hand", TaskQueue: history.DefaultTaskQueue,
	}, history.WorkflowType, map[string]string{"request": "please", "chain": "one"})
	require.NoError(t, err)
	p := projector.New(s.runs, mirror, projector.NewDirty(), projector.Options{})
	require.NoError(t, p.Project(t.Context(), "run-by-hand"))
	for _, tenant := range []string{"", "default"} {
		_, err = mirror.LoadRun(t.Context(), tenant, "run-by-hand")
		require.ErrorIs(t, err, store.ErrNotFound)
	}

	s.work(projector.NewDirty())
	s.finished("run-by-hand")
	require.NoError(t, p.Project(t.Context(), "run-by-hand"))
	s.requireRow(mirror, "run-by-hand")
}
