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
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// scroll is a history that a test writes by hand, one second an event.
type scroll struct {
	t      *testing.T
	events []*historypb.HistoryEvent
}

func begin(t *testing.T) time.Time {
	t.Helper()
	return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
}

// add appends an event and returns its ID.
func (s *scroll) add(kind enumspb.EventType, fill func(*historypb.HistoryEvent)) int64 {
	s.t.Helper()
	id := int64(len(s.events) + 1)
	e := &historypb.HistoryEvent{
		EventId: id, EventType: kind, EventTime: timestamppb.New(begin(s.t).Add(time.Duration(id) * time.Second)),
	}
	if fill != nil {
		fill(e)
	}
	s.events = append(s.events, e)
	return id
}

func (s *scroll) payloads(value any) *commonpb.Payloads {
	s.t.Helper()
	p, err := converter.GetDefaultDataConverter().ToPayloads(value)
	require.NoError(s.t, err)
	return p
}

// started opens a run whose tasks are inline and need each the one before.
func started(t *testing.T, ids ...string) *scroll {
	t.Helper()
	s := &scroll{t: t}
	plan := run.Plan{Chain: run.ChainRef{Name: "test"}, PromptFormat: 1}
	for i, id := range ids {
		task := run.PlannedTask{ID: id, Specialist: id, Backend: run.BackendProvider}
		if i > 0 {
			task.Needs = ids[i-1 : i]
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	s.open(history.RunInput{TenantID: "default", PrincipalID: "alice", Request: content.Of("please"), Plan: &plan})
	return s
}

func (s *scroll) open(input any) {
	s.t.Helper()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_WorkflowExecutionStartedEventAttributes{
			WorkflowExecutionStartedEventAttributes: &historypb.WorkflowExecutionStartedEventAttributes{Input: s.payloads(input)},
		}
	})
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, nil)
}

// taken is a workflow task that a worker has started; done is its completion.
func (s *scroll) taken() int64 { return s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_STARTED, nil) }

func (s *scroll) done(startedEventID int64) {
	s.t.Helper()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_WorkflowTaskCompletedEventAttributes{
			WorkflowTaskCompletedEventAttributes: &historypb.WorkflowTaskCompletedEventAttributes{StartedEventId: startedEventID},
		}
	})
}

func (s *scroll) scheduled(activityID string) int64 {
	s.t.Helper()
	return s.add(enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_ActivityTaskScheduledEventAttributes{
			ActivityTaskScheduledEventAttributes: &historypb.ActivityTaskScheduledEventAttributes{ActivityId: activityID},
		}
	})
}

func (s *scroll) answered(scheduledEventID int64, value any) int64 {
	s.t.Helper()
	return s.add(enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_ActivityTaskCompletedEventAttributes{
			ActivityTaskCompletedEventAttributes: &historypb.ActivityTaskCompletedEventAttributes{
				ScheduledEventId: scheduledEventID, Result: s.payloads(value),
			},
		}
	})
}

// lost is the end of an activity whose worker did not answer any more.
func (s *scroll) lost(scheduledEventID int64, cause *failurepb.Failure) {
	s.t.Helper()
	s.add(enumspb.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_ActivityTaskTimedOutEventAttributes{
			ActivityTaskTimedOutEventAttributes: &historypb.ActivityTaskTimedOutEventAttributes{
				ScheduledEventId: scheduledEventID,
				Failure: &failurepb.Failure{Cause: cause, FailureInfo: &failurepb.Failure_TimeoutFailureInfo{
					TimeoutFailureInfo: &failurepb.TimeoutFailureInfo{TimeoutType: enumspb.TIMEOUT_TYPE_HEARTBEAT},
				}},
			},
		}
	})
}

func (s *scroll) terminated(reason string) {
	s.t.Helper()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED, func(e *historypb.HistoryEvent) {
		e.Attributes = &historypb.HistoryEvent_WorkflowExecutionTerminatedEventAttributes{
			WorkflowExecutionTerminatedEventAttributes: &historypb.WorkflowExecutionTerminatedEventAttributes{Reason: reason},
		}
	})
}

func (s *scroll) fold() (history.Folded, error) {
	return history.Fold("run-1", "temporal-1", s.events, converter.GetDefaultDataConverter())
}

func (s *scroll) folded() history.Folded {
	s.t.Helper()
	f, err := s.fold()
	require.NoError(s.t, err)
	return f
}

func kinds(events []run.Stamped) []string {
	var names []string
	for _, e := range events {
		names = append(names, run.TypeOf(e.Event))
	}
	return names
}
