package history

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"

	"github.com/tutti-dev/tutti/internal/run"
)

// input decodes a history event that the workflow reacts to, or returns nil.
func (f *Folder) input(e *historypb.HistoryEvent) (run.Event, error) {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
		var in RunInput
		if err := f.dc.FromPayloads(e.GetWorkflowExecutionStartedEventAttributes().GetInput(), &in); err != nil {
			return nil, err
		}
		return in.Started(f.workflowID, f.temporalRunID), nil
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED:
		return run.CancelRequested{}, nil
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
		a := e.GetActivityTaskCompletedEventAttributes()
		return f.outcome(a.GetScheduledEventId(), f.result(a.GetResult()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_FAILED:
		a := e.GetActivityTaskFailedEventAttributes()
		return f.outcome(a.GetScheduledEventId(), f.failure(a.GetFailure()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
		a := e.GetActivityTaskTimedOutEventAttributes()
		return f.outcome(a.GetScheduledEventId(), f.failure(a.GetFailure()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCELED:
		a := e.GetActivityTaskCanceledEventAttributes()
		return f.outcome(a.GetScheduledEventId(), f.canceled(a.GetDetails()))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
		return f.signal(e.GetWorkflowExecutionSignaledEventAttributes()), nil
	case enumspb.EVENT_TYPE_TIMER_FIRED:
		return f.timerFired(e.GetTimerFiredEventAttributes().GetStartedEventId())
	default:
		return nil, nil
	}
}

func (f *Folder) outcome(scheduledEventID int64, o Outcome) (run.Event, error) {
	id, ok := f.scheduled[scheduledEventID]
	if !ok {
		return nil, fmt.Errorf("no activity was scheduled by event %d", scheduledEventID)
	}
	if id == planActivityID {
		return PlanEvent(o)
	}
	name, ok := parseActivityID(id)
	if !ok {
		return nil, fmt.Errorf("activity ID %q names no task", id)
	}
	switch name.purpose {
	case forQueue:
		return QueueEvent(name.taskID, o)
	case forContent:
		return StoreEvent(name.taskID, o)
	}
	return TaskEvent(name.taskID, name.call, f.noting(name, o))
}

// timerFired is the resumption of the task whose timer it was.
func (f *Folder) timerFired(startedEventID int64) (run.Event, error) {
	taskID, ok := f.timers[startedEventID]
	if !ok {
		return nil, fmt.Errorf("no timer was started by event %d", startedEventID)
	}
	return run.TaskResumed{OfTask: run.OfTask{TaskID: taskID}}, nil
}

func (f *Folder) result(payloads *commonpb.Payloads) Outcome {
	return Outcome{Get: func(into any) error { return f.dc.FromPayloads(payloads, into) }}
}

func (f *Folder) failure(failure *failurepb.Failure) Outcome {
	return Outcome{Err: f.fc.FailureToError(failure)}
}

// canceled builds the error that the SDK gives the workflow for this event, by
// way of the failure that carries the same details.
func (f *Folder) canceled(details *commonpb.Payloads) Outcome {
	return f.failure(&failurepb.Failure{FailureInfo: &failurepb.Failure_CanceledFailureInfo{
		CanceledFailureInfo: &failurepb.CanceledFailureInfo{Details: details},
	}})
}

// skip counts event types that this fold has never heard of. Types that are
// known to say nothing about a run are passed in silence.
func (f *Folder) skip(e *historypb.HistoryEvent) {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
		enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED, enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
		enumspb.EVENT_TYPE_ACTIVITY_TASK_STARTED, enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
		enumspb.EVENT_TYPE_TIMER_CANCELED,
		enumspb.EVENT_TYPE_MARKER_RECORDED, enumspb.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED:
	default:
		f.out.Unknown[e.GetEventType().String()]++
	}
}
