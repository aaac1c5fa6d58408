package runs_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestARunOfAnotherTenantIsAsGoodAsNone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(wish("acme", "", "digest")).RunID
	folded, err := s.runs.Get(t.Context(), "acme", id)
	require.NoError(t, err)
	require.Equal(t, run.Planned, folded.Record.Status)
	require.Equal(t, "acme", folded.Record.TenantID)

	for tenant, runID := range map[string]string{"default": id, "": id, "acme": runs.NewRunID()} {
		folded, err := s.runs.Get(t.Context(), tenant, runID)
		require.ErrorIs(t, err, runs.ErrNotFound, "tenant %q", tenant)
		require.Zero(t, folded.Record, "nothing of it is handed out")
		err = s.runs.Follow(t.Context(), tenant, runID, func(history.Folded) (bool, error) {
			t.Error("a run of another tenant was seen")
			return false, nil
		})
		require.ErrorIs(t, err, runs.ErrNotFound, "tenant %q", tenant)
	}
}

func TestAWorkflowThatIsNoRunOfOursIsNotFound(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, err := s.temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "run-0123456789abcdef", TaskQueue: "elsewhere",
	}, "somebody.Else")
	require.NoError(t, err)
	_, err = s.runs.Get(t.Context(), "default", "run-0123456789abcdef")
	require.ErrorIs(t, err, runs.ErrNotFound)
	require.ErrorContains(t, err, "no run of ours")
}

func TestFollowingEndsWhenTheReaderHasSeenEnoughOrTheRunEnds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(wish("default", "", "digest")).RunID
	seen := 0
	require.NoError(t, s.runs.Follow(t.Context(), "default", id, func(history.Folded) (bool, error) {
		seen++
		return false, nil
	}))
	require.Equal(t, 1, seen)

	ctx, stop := context.WithCancel(t.Context())
	err := s.runs.Follow(ctx, "default", id, func(f history.Folded) (bool, error) {
		if f.Record.LastEventID == 2 {
			stop() // Nothing more comes without a worker.
		}
		return true, nil
	})
	require.Error(t, err)

	var last run.Record
	require.NoError(t, s.runs.Follow(t.Context(), "default", id, func(f history.Folded) (bool, error) {
		if f.Record.LastEventID == 2 {
			require.NoError(t, s.temporal.TerminateWorkflow(t.Context(), id, "", "enough"))
		}
		last = f.Record
		return true, nil
	}))
	require.Equal(t, run.Errored, last.Status)
}

func TestFindingByPrefixKeepsToTheTenant(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ours := []string{
		s.start(wish("default", "a", "digest")).RunID, s.start(wish("default", "b", "digest")).RunID,
	}
	s.start(wish("acme", "a", "digest"))
	_, err := s.temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: "run-else", TaskQueue: "elsewhere",
	}, "somebody.Else")
	require.NoError(t, err)
	s.listed(3)
	find := func(tenant, prefix string, limit int) []string {
		found, err := s.runs.FindByPrefix(t.Context(), tenant, prefix, limit)
		require.NoError(t, err)
		return found
	}
	require.ElementsMatch(t, ours, find("default", "run-", 10))
	require.Equal(t, ours[:1], find("default", ours[0][:10], 10))
	require.Len(t, find("default", "run-", 1), 1)
	require.Len(t, find("acme", "run-", 10), 1)
	require.Empty(t, find("nobody", "run-", 10))
	require.Empty(t, find("default", "run-' OR '1' = '1", 10))
	require.Empty(t, find("default", "r_n-", 10), "no character stands for another")
}

func TestARunThatWasResetIsFoundOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(wish("default", "", "digest")).RunID
	w := worker.New(s.temporal, history.DefaultTaskQueue, worker.Options{})
	w.RegisterWorkflowWithOptions(func(workflow.Context, history.RunInput) error { return nil },
		workflow.RegisterOptions{Name: history.WorkflowType})
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	require.NoError(t, s.temporal.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	_, err := s.temporal.ResetWorkflowExecution(t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: id},
		Reason: "once more", WorkflowTaskFinishEventId: 4, RequestId: uuid.NewString(),
	})
	require.NoError(t, err)
	s.listed(2)
	found, err := s.runs.FindByPrefix(t.Context(), "default", id[:12], 5)
	require.NoError(t, err)
	require.Equal(t, []string{id}, found)
}

func TestClosedRunsAreListedWithoutTheOpenOnes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	open := s.start(wish("default", "", "digest")).RunID
	closed := s.start(wish("default", "", "digest")).RunID
	require.NoError(t, s.temporal.TerminateWorkflow(t.Context(), closed, "", "ended"))
	var list []runs.Listed
	testenv.Eventually(t, patience, "the closed run is listed", func() error {
		list = nil
		err := s.runs.ClosedBetween(t.Context(), s.describe(closed).GetWorkflowExecutionInfo().GetStartTime().AsTime(), time.Now(), func(page []runs.Listed) error {
			list = append(list, page...)
			return nil
		})
		if err == nil && len(list) == 0 {
			return context.DeadlineExceeded
		}
		return err
	})
	require.Len(t, list, 1)
	require.Equal(t, closed, list[0].RunID)
	require.Equal(t, "default", list[0].Tenant)
	require.Equal(t, s.describe(closed).GetWorkflowExecutionInfo().GetExecution().GetRunId(), list[0].TemporalRunID)
	require.False(t, list[0].ClosedAt.IsZero())
	require.NoError(t, s.runs.OpenRuns(t.Context(), func(page []runs.Listed) error {
		require.Len(t, page, 1)
		require.Equal(t, open, page[0].RunID)
		require.True(t, page[0].ClosedAt.IsZero())
		return nil
	}))
}

func TestCancellingTwiceOrTooLateIsNoError(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(wish("default", "", "digest")).RunID
	require.NoError(t, s.runs.CancelBecause(t.Context(), id, "changed my mind"))
	require.NoError(t, s.runs.Cancel(t.Context(), id), "asking twice is no error")
	var causes []string
	it := s.temporal.GetWorkflowHistory(t.Context(), id, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		require.NoError(t, err)
		if a := e.GetWorkflowExecutionCancelRequestedEventAttributes(); a != nil {
			causes = append(causes, a.GetCause())
		}
	}
	require.Equal(t, []string{"changed my mind"}, causes)

	require.NoError(t, s.temporal.TerminateWorkflow(t.Context(), id, "", "ended"))
	for _, reason := range []string{"", "too late"} {
		require.NoError(t, s.runs.CancelBecause(t.Context(), id, reason), "a run that has ended")
		require.ErrorIs(t, s.runs.CancelBecause(t.Context(), runs.NewRunID(), reason), runs.ErrNotFound)
	}
}

func TestFindingGoesOnPastOtherTenantsRuns(t *testing.T) {
	t.Parallel()
	s := stageIn(t, bareNamespace(t)) // Without the attributes only the fold tells whose a run is.
	ours := s.start(wish("default", "", "digest")).RunID
	for range runs.MaxListed + 1 {
		s.start(wish("acme", "", "digest"))
	}
	s.listed(runs.MaxListed + 2)
	found, err := s.runs.FindByPrefix(t.Context(), "default", "run-", 5)
	require.NoError(t, err)
	require.Equal(t, []string{ours}, found)
}
