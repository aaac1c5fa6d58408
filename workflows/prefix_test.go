package workflows_test

import (
	"fmt"
	"path/filepath"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/workflow"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
)

// isCommand says that an event is what a workflow task decided: it stands behind that
// task's completion, and was written with it.
func isCommand(e *historypb.HistoryEvent) bool {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
		enumspb.EVENT_TYPE_TIMER_STARTED, enumspb.EVENT_TYPE_TIMER_CANCELED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
		enumspb.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED, enumspb.EVENT_TYPE_MARKER_RECORDED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		return true
	default:
		return false
	}
}

// ends are the places at which a history may be cut: behind each completed workflow
// task with all that it decided.
func ends(events []*historypb.HistoryEvent) (at []int) {
	for i, e := range events {
		if e.GetEventType() != enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			continue
		}
		end := i + 1
		for end < len(events) && isCommand(events[end]) {
			end++
		}
		at = append(at, end)
	}
	return at
}

// requireAgreementThroughout proves for every moment of a run's life at which it had
// decided something that the workflow, replayed up to there, has the record that the
// fold has. It returns how many moments there were.
func requireAgreementThroughout(t testing.TB, events []*historypb.HistoryEvent, execution workflow.Execution) int {
	t.Helper()
	moments := ends(events)
	for _, end := range moments {
		at := fmt.Sprintf("%s after event %d", execution.ID, end)
		replayed, err := replay(&historypb.History{Events: events[:end:end]}, execution, nil)
		require.NoError(t, err, at)
		folded, err := history.Fold(execution.ID, execution.RunID, events[:end:end], converter.GetDefaultDataConverter())
		require.NoError(t, err, at)
		require.NotEmpty(t, replayed.RunID, "%s: the replay decided nothing", at)
		requireSame(t, replayed, folded.Record)
	}
	return len(moments)
}

func TestEveryMomentOfEveryRecordedHistoryIsTheFolds(t *testing.T) {
	t.Parallel()
	for _, file := range recorded(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			h := load(t, file)
			require.Positive(t, requireAgreementThroughout(t, h.GetEvents(), executionOf(file, h)))
		})
	}
}
