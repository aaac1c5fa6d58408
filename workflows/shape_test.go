package workflows_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/converter"
)

// shape is what a workflow's code decides about a history, in lines that can be
// compared: what the run was told, sorted, because that comes as it comes, and
// what it ordered, in its order. Of payloads the members count and not their
// values; IDs of Temporal's, times and workflow tasks do not count.
type shape struct {
	told, ordered []string
	names         map[int64]string // of activities and timers, by the event that scheduled them
	updates       map[int64]string // by the event that accepted them
}

// shapeOf reads a whole history.
func shapeOf(events []*historypb.HistoryEvent) []string {
	s := shape{names: map[int64]string{}, updates: map[int64]string{}}
	for _, e := range events {
		if !s.activity(e) && !s.update(e) {
			s.other(e)
		}
	}
	slices.Sort(s.told)
	return append(s.told, s.ordered...)
}

// scheduledOnly is the part of a shape that is the same however a race goes.
func scheduledOnly(lines []string) []string {
	scheduled := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.HasPrefix(line, "schedule ") })
	slices.Sort(scheduled)
	return scheduled
}

func (s *shape) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

func (s *shape) order(format string, args ...any) {
	s.ordered = append(s.ordered, fmt.Sprintf(format, args...))
}

func (s *shape) activity(e *historypb.HistoryEvent) bool {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
		a := e.GetActivityTaskScheduledEventAttributes()
		s.names[e.GetEventId()] = a.GetActivityId()
		retry := a.GetRetryPolicy()
		s.order("schedule %s: %s on %s; %q; to start %s, to close %s, beat %s; %d attempts after %s ×%g up to %s; %s",
			a.GetActivityId(), a.GetActivityType().GetName(), a.GetTaskQueue().GetName(), summary(e.GetUserMetadata()),
			a.GetScheduleToStartTimeout().AsDuration(), a.GetStartToCloseTimeout().AsDuration(), a.GetHeartbeatTimeout().AsDuration(),
			retry.GetMaximumAttempts(), retry.GetInitialInterval().AsDuration(), retry.GetBackoffCoefficient(),
			retry.GetMaximumInterval().AsDuration(), members(a.GetInput()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_STARTED:
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
		a := e.GetActivityTaskCompletedEventAttributes()
		s.tell("%s completed: %s", s.names[a.GetScheduledEventId()], members(a.GetResult()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_FAILED:
		a := e.GetActivityTaskFailedEventAttributes()
		s.tell("%s failed: %s", s.names[a.GetScheduledEventId()], failed(a.GetFailure()))
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
		a := e.GetActivityTaskTimedOutEventAttributes()
		s.tell("%s timed out: %s", s.names[a.GetScheduledEventId()], a.GetFailure().GetTimeoutFailureInfo().GetTimeoutType())
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED:
		s.order("cancel %s", s.names[e.GetActivityTaskCancelRequestedEventAttributes().GetScheduledEventId()])
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_CANCELED:
		s.tell("%s cancelled", s.names[e.GetActivityTaskCanceledEventAttributes().GetScheduledEventId()])
	case enumspb.EVENT_TYPE_TIMER_STARTED:
		s.names[e.GetEventId()] = summary(e.GetUserMetadata())
		s.order("schedule timer %q: %s", s.names[e.GetEventId()], e.GetTimerStartedEventAttributes().GetStartToFireTimeout().AsDuration())
	case enumspb.EVENT_TYPE_TIMER_FIRED:
		s.tell("timer %q fired", s.names[e.GetTimerFiredEventAttributes().GetStartedEventId()])
	case enumspb.EVENT_TYPE_TIMER_CANCELED:
		s.order("stop timer %q", s.names[e.GetTimerCanceledEventAttributes().GetStartedEventId()])
	default:
		return false
	}
	return true
}

func (s *shape) update(e *historypb.HistoryEvent) bool {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED:
		in := e.GetWorkflowExecutionUpdateAcceptedEventAttributes().GetAcceptedRequest().GetInput()
		s.updates[e.GetEventId()] = in.GetName()
		s.order("accept %s: %s", in.GetName(), members(in.GetArgs()))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED:
		a := e.GetWorkflowExecutionUpdateCompletedEventAttributes()
		reply := members(a.GetOutcome().GetSuccess())
		if f := a.GetOutcome().GetFailure(); f != nil {
			reply = failed(f)
		}
		s.order("answer %s: %s", s.updates[a.GetAcceptedEventId()], reply)
	default:
		return false
	}
	return true
}

func (s *shape) other(e *historypb.HistoryEvent) {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, enumspb.EVENT_TYPE_WORKFLOW_TASK_STARTED, enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
		enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED:
		// How many there are depends on what arrives together.
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
		a := e.GetWorkflowExecutionStartedEventAttributes()
		s.tell("start: %s; memo %v", members(a.GetInput()), slices.Sorted(maps.Keys(a.GetMemo().GetFields())))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED:
		a := e.GetWorkflowExecutionSignaledEventAttributes()
		s.tell("signal %s: %s", a.GetSignalName(), members(a.GetInput()))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED:
		s.tell("%s", e.GetEventType())
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
		s.order("complete: %s", members(e.GetWorkflowExecutionCompletedEventAttributes().GetResult()))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
		s.order("fail: %s", failed(e.GetWorkflowExecutionFailedEventAttributes().GetFailure()))
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		s.order("end as cancelled: %s", members(e.GetWorkflowExecutionCanceledEventAttributes().GetDetails()))
	default:
		s.order("%s", e.GetEventType()) // A command that no workflow of ours gives yet.
	}
}

func failed(f *failurepb.Failure) string {
	info := f.GetApplicationFailureInfo()
	return fmt.Sprintf("%s, retried %v, %s", info.GetType(), !info.GetNonRetryable(), members(info.GetDetails()))
}

func summary(m *sdkpb.UserMetadata) string {
	var text string
	_ = converter.GetDefaultDataConverter().FromPayload(m.GetSummary(), &text) // No summary is no text.
	return text
}

// members lists the paths of all members in payloads of JSON, each once.
func members(payloads *commonpb.Payloads) string {
	paths := map[string]bool{}
	for i, p := range payloads.GetPayloads() {
		var value any
		if err := json.Unmarshal(p.GetData(), &value); err != nil {
			paths[fmt.Sprintf("%d=%s", i, p.GetMetadata()["encoding"])] = true
			continue
		}
		walk(value, "", paths)
	}
	return strings.Join(slices.Sorted(maps.Keys(paths)), " ")
}

func walk(value any, path string, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			walk(member, path+"."+name, into)
		}
	case []any:
		for _, element := range v {
			walk(element, path+"[]", into)
		}
	default:
		into[path] = true
	}
}
