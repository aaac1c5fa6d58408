package workflows_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// reset starts the run again after its workflow task number n, counted from 1.
func (s *stage) reset(runID string, n int) (temporalRunID string) {
	s.t.Helper()
	var completed []int64
	for _, e := range s.history(runID) {
		if e.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			completed = append(completed, e.GetEventId())
		}
	}
	require.LessOrEqual(s.t, n, len(completed))
	answer, err := s.client.ResetWorkflowExecution(s.t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: runID},
		Reason: "once more", WorkflowTaskFinishEventId: completed[n-1], RequestId: uuid.NewString(),
	})
	require.NoError(s.t, err)
	return answer.GetRunId()
}

// After a reset Temporal hands in again the updates that were accepted after that
// point. One that comes together with its prompt counts; one that comes before it
// cannot. Workflow, replay and fold agree on either.
func TestAResultFromBeforeAResetCountsOnceItsPromptIsThere(t *testing.T) {
	t.Parallel()
	for n, awaiting := range map[int]string{1: "architect", 2: "engineer", 3: "engineer"} {
		t.Run(fmt.Sprint("after task ", n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.work()
			id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
			s.until(id, "architect awaits", awaits("architect"))
			claim, err := s.claim(id, run.ClaimRequest{Holder: "alice/one"})
			require.NoError(t, err)
			result := done("architect", "the design")
			result.ClaimToken = claim.Token
			_, err = s.submit(id, result)
			require.NoError(t, err)
			s.until(id, "engineer awaits", awaits("engineer"))

			execution := workflow.Execution{ID: id, RunID: s.reset(id, n)}
			s.until(id, awaiting+" awaits", awaits(awaiting))
			s.requireAgreement(id)
			require.NoError(t, s.runs.Cancel(t.Context(), id))
			s.finished(id)

			h := &historypb.History{Events: s.history(id)}
			replayed, err := replay(h, execution, nil)
			require.NoError(t, err)
			folded, err := history.Fold(id, execution.RunID, h.GetEvents(), converter.GetDefaultDataConverter())
			require.NoError(t, err)
			requireSame(t, replayed, folded.Record)
			if awaiting == "engineer" {
				require.Equal(t, "the design", folded.Record.Tasks[0].Output)
			}
		})
	}
}
