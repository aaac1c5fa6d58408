package projector_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// reset starts the run again after its first workflow task, as the Web UI does,
// and returns Temporal's new run ID.
func (s *stage) reset(runID string) string {
	s.t.Helper()
	return s.resetTo(runID, 4)
}

// resetTo starts the run again after a completed workflow task.
func (s *stage) resetTo(runID string, eventID int64) string {
	s.t.Helper()
	resp, err := s.client.ResetWorkflowExecution(s.t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: runID},
		Reason: "once more", WorkflowTaskFinishEventId: eventID, RequestId: uuid.NewString(),
	})
	require.NoError(s.t, err)
	return resp.GetRunId()
}

func TestAfterAResetTheRowIsTheNewFold(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s := newStage(t)
		s.work(projector.NewDirty())
		id := s.start("one", "two")
		s.finished(id)
		s.listed(1, 0)
		p := projector.New(s.runs, mirror, projector.NewDirty(), projector.Options{})
		require.NoError(t, p.Sweep(t.Context(), time.Now(), true))
		s.requireRow(mirror, id)
		before, err := mirror.LoadRun(t.Context(), "default", id)
		require.NoError(t, err)

		temporalRunID := s.reset(id)
		require.NoError(t, s.client.GetWorkflow(t.Context(), id, temporalRunID).Get(t.Context(), nil))
		s.listed(2, 0)
		later := time.Now().Add(time.Minute) // A sweep leaves what has just closed to its hint.
		require.NoError(t, p.Sweep(t.Context(), later, true), "no hint tells of the reset")
		s.requireRow(mirror, id)
		after, err := mirror.LoadRun(t.Context(), "default", id)
		require.NoError(t, err)
		require.Equal(t, temporalRunID, after.Record.TemporalRunID)
		require.NotEqual(t, before.Record.TemporalRunID, temporalRunID)
		require.Equal(t, run.Completed, after.Record.Status)
		testenv.Seen(t, "after the reset the row is the fold of the new Temporal run, %s", after.Record.Status)
	})
}

// TestAHistorySaysWhichRunItIsOf however often the run was reset, and wherever to.
func TestAHistorySaysWhichRunItIsOf(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work(projector.NewDirty())
	id := s.start("one", "two")
	s.finished(id)
	same := func(temporalRunID string) []*historypb.HistoryEvent {
		require.NoError(t, s.client.GetWorkflow(t.Context(), id, temporalRunID).Get(t.Context(), nil))
		whole, err := s.runs.Whole(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, temporalRunID, whole.TemporalRunID)
		return whole.Events
	}
	current, err := s.client.DescribeWorkflow(t.Context(), id, "")
	require.NoError(t, err)
	first := same(current.WorkflowExecution.RunID)
	events := same(s.reset(id))
	require.NotEqual(t, first[4].GetEventType(), events[4].GetEventType(), "the reset stands in the history")
	last := events[len(events)-2]
	require.NotNil(t, last.GetWorkflowTaskCompletedEventAttributes())
	same(s.resetTo(id, last.GetEventId())) // Behind the first reset, which is copied too.
	same(s.reset(id))                      // Before all of them.
}

func TestARunThatIsOpenAgainAfterAResetIsSweptToo(t *testing.T) {
	t.Parallel()
	s, mirror := newStage(t), openFiles(t)
	s.work(projector.NewDirty())
	id := s.start("one", "held")
	s.held(id)
	require.NoError(t, s.runs.Cancel(t.Context(), id))
	s.finished(id)
	s.listed(1, 0)
	p := projector.New(s.runs, mirror, projector.NewDirty(), projector.Options{})
	require.NoError(t, p.Sweep(t.Context(), time.Now(), true))
	s.requireRow(mirror, id)

	s.reset(id)
	s.held(id)
	s.listed(1, 1)
	require.NoError(t, p.Sweep(t.Context(), time.Now(), true))
	testenv.Eventually(t, patience, "the row", func() error { return s.differs(mirror, id) })
	row, err := mirror.LoadRun(t.Context(), "default", id)
	require.NoError(t, err)
	require.Equal(t, run.Running, row.Record.Status)
}
