package history_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func payloads(t *testing.T, value any) *commonpb.Payloads {
	t.Helper()
	p, err := converter.GetDefaultDataConverter().ToPayloads(value)
	require.NoError(t, err)
	return p
}

// ending is a history of one call that ends so.
func ending(t *testing.T, activityID string, end *historypb.HistoryEvent) []*historypb.HistoryEvent {
	t.Helper()
	choice := run.ModelChoice{Provider: "fake", Model: "m", Price: &run.Price{ID: "p1", Input: "1", Output: "1"}}
	in := history.RunInput{
		TenantID: "acme", PrincipalID: "alice", Request: content.Of("build it"),
		Plan: &run.Plan{PromptFormat: 1, Tasks: []run.PlannedTask{{ID: "engineer", Specialist: "engineer", Backend: run.BackendProvider, ModelChoice: choice}}},
	}
	end.EventId = 6
	return []*historypb.HistoryEvent{
		{EventId: 1, EventType: enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, Attributes: &historypb.HistoryEvent_WorkflowExecutionStartedEventAttributes{
			WorkflowExecutionStartedEventAttributes: &historypb.WorkflowExecutionStartedEventAttributes{Input: payloads(t, in)},
		}},
		{EventId: 2, EventType: enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED},
		{EventId: 3, EventType: enumspb.EVENT_TYPE_WORKFLOW_TASK_STARTED},
		{EventId: 4, EventType: enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, Attributes: &historypb.HistoryEvent_WorkflowTaskCompletedEventAttributes{
			WorkflowTaskCompletedEventAttributes: &historypb.WorkflowTaskCompletedEventAttributes{StartedEventId: 3},
		}},
		{EventId: 5, EventType: enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, Attributes: &historypb.HistoryEvent_ActivityTaskScheduledEventAttributes{
			ActivityTaskScheduledEventAttributes: &historypb.ActivityTaskScheduledEventAttributes{ActivityId: activityID},
		}},
		end,
	}
}

func failedWith(t *testing.T, f *failurepb.Failure) *historypb.HistoryEvent {
	t.Helper()
	return &historypb.HistoryEvent{EventType: enumspb.EVENT_TYPE_ACTIVITY_TASK_FAILED, Attributes: &historypb.HistoryEvent_ActivityTaskFailedEventAttributes{
		ActivityTaskFailedEventAttributes: &historypb.ActivityTaskFailedEventAttributes{ScheduledEventId: 5, Failure: f},
	}}
}

func TestTheFoldHandsOutWhatTheStoreLacks(t *testing.T) {
	t.Parallel()
	attempt := history.Attempt{Source: "r/engineer/1/1", State: "answered", StartedAt: time.Unix(1, 0).UTC(), FinishedAt: time.Unix(2, 0).UTC()}
	begun := history.Attempt{Source: "r/engineer/1/1", State: "started", StartedAt: time.Unix(1, 0).UTC(), FinishedAt: time.Unix(0, 0).UTC()}
	result := history.TaskResult{Output: content.Of("ok"), Unrecorded: []history.Attempt{attempt}}
	recorded := result
	recorded.Unrecorded = nil
	detail := history.FailureDetail{Failure: run.Failure{Code: run.CodeServerError, Message: "it failed"}, Unrecorded: []history.Attempt{attempt}}
	fc := temporal.GetDefaultFailureConverter()
	completed := func(r history.TaskResult) *historypb.HistoryEvent {
		return &historypb.HistoryEvent{EventType: enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, Attributes: &historypb.HistoryEvent_ActivityTaskCompletedEventAttributes{
			ActivityTaskCompletedEventAttributes: &historypb.ActivityTaskCompletedEventAttributes{ScheduledEventId: 5, Result: payloads(t, r)},
		}}
	}
	for name, c := range map[string]struct {
		end    *historypb.HistoryEvent
		want   []history.Attempt
		answer bool
	}{
		"an answer":                      {completed(result), []history.Attempt{attempt}, true},
		"nothing lacks":                  {completed(recorded), nil, false},
		"a failure":                      {failedWith(t, fc.ErrorToFailure(temporal.NewNonRetryableApplicationError("it failed", "PROVIDER_SERVER_ERROR", nil, detail))), []history.Attempt{attempt}, false},
		"a foreign error":                {failedWith(t, &failurepb.Failure{Message: "boom"}), nil, false},
		"a worker is lost":               {failedWith(t, fc.ErrorToFailure(temporal.NewHeartbeatTimeoutError([]history.Attempt{begun}))), []history.Attempt{begun}, false},
		"a lost worker, nothing carried": {failedWith(t, fc.ErrorToFailure(temporal.NewHeartbeatTimeoutError())), nil, false},
		"a cancellation": {&historypb.HistoryEvent{EventType: enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCELED, Attributes: &historypb.HistoryEvent_ActivityTaskCanceledEventAttributes{
			ActivityTaskCanceledEventAttributes: &historypb.ActivityTaskCanceledEventAttributes{ScheduledEventId: 5, Details: payloads(t, detail)},
		}}, []history.Attempt{attempt}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folded, err := history.Fold("run-1", "temporal-1", ending(t, history.CallActivityID("engineer", 1, 2), c.end), converter.GetDefaultDataConverter())
			require.NoError(t, err)
			if c.want == nil {
				require.Empty(t, folded.Unrecorded)
				return
			}
			require.Len(t, folded.Unrecorded, 1)
			u := folded.Unrecorded[0]
			require.Equal(t, c.want, u.Attempts)
			require.Equal(t, c.answer, u.Answer != nil)
			require.Equal(t, []any{"acme", "run-1", "engineer", 1, "fake", "m", "p1"},
				[]any{u.TenantID, u.RunID, u.TaskID, u.Call, u.Provider, u.Model, u.Price.ID})
		})
	}
}

func TestScheduledAnew(t *testing.T) {
	t.Parallel()
	for id, anew := range map[string]bool{
		history.CallActivityID("a~b", 1, 1): false, history.CallActivityID("a", 1, 2): true,
		history.PromptActivityID("a", 3): true, "": false,
	} {
		require.Equal(t, anew, history.ScheduledAnew(id), id)
	}
}
