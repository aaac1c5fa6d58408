package history

import (
	"fmt"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	updatepb "go.temporal.io/api/update/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/run"
)

// Builder is the version of the fold. A row that an older fold made is folded
// again; a newer one is never overwritten.
const Builder = 1

// Folded is a history as the domain sees it.
type Folded struct {
	Record run.Record
	// Events are what was applied, in that order.
	Events []run.Stamped
	// Unrecorded is what calls did while the store was away, in the order in which
	// they ended.
	Unrecorded []Unrecorded
	// Unknown counts the event types that the fold does not know, by name.
	Unknown map[string]int
}

// Fold reads a whole history. The IDs are the workflow's and Temporal's own run
// ID. The converter is the worker's.
func Fold(workflowID, temporalRunID string, events []*historypb.HistoryEvent, dc converter.DataConverter) (Folded, error) {
	f := NewFolder(workflowID, temporalRunID, dc)
	for _, e := range events {
		if err := f.Take(e); err != nil {
			return f.Folded(), err
		}
	}
	err := f.Flush()
	return f.Folded(), err
}

// Folder folds a history event by event, for those who follow a run as it goes.
// It holds the record and the inputs that wait for the next completed workflow task.
type Folder struct {
	workflowID, temporalRunID string
	dc                        converter.DataConverter
	fc                        converter.FailureConverter
	scheduled                 map[int64]string    // activity ID by its scheduled event
	timers                    map[int64]string    // task ID by its timer's started event
	startedAt                 map[int64]time.Time // of workflow tasks, by their started event
	admitted                  map[string]*updatepb.Request
	pending                   []run.Stamped
	open                      *turn
	out                       Folded
}

// NewFolder returns a folder that has read nothing yet.
func NewFolder(workflowID, temporalRunID string, dc converter.DataConverter) *Folder {
	return &Folder{
		workflowID: workflowID, temporalRunID: temporalRunID, dc: dc,
		fc:        temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: dc}),
		scheduled: make(map[int64]string), timers: make(map[int64]string),
		startedAt: make(map[int64]time.Time), admitted: make(map[string]*updatepb.Request),
		out: Folded{Unknown: make(map[string]int)},
	}
}

// turn is a completed workflow task whose batch may still grow: the updates that
// it accepted stand behind it in the history.
type turn struct {
	event *historypb.HistoryEvent
	batch []run.Stamped
	now   time.Time
}

// Flush decides the last completed workflow task. It is called at the end of what
// the server handed out, which is always the end of what it committed at once.
func (f *Folder) Flush() error {
	if f.open == nil {
		return nil
	}
	t := f.open
	f.open = nil
	if f.out.Record.Status.IsTerminal() {
		return nil
	}
	_, applied, err := f.out.Record.Turn(t.batch, t.now, t.event.GetEventTime().AsTime())
	for i := range applied {
		if applied[i].EventID == 0 {
			applied[i].EventID = t.event.GetEventId()
		}
	}
	f.out.Events = append(f.out.Events, applied...)
	if err != nil {
		return fmt.Errorf("workflow task completed by event %d: %w", t.event.GetEventId(), err)
	}
	return nil
}

// IsWhole says that nothing that was read waits to be decided.
func (f *Folder) IsWhole() bool { return f.open == nil }

// Folded is what has been read so far.
func (f *Folder) Folded() Folded { return f.out }

// Take reads the next event. After an error the folder must not be used again.
func (f *Folder) Take(e *historypb.HistoryEvent) error {
	if err := f.take(e); err != nil {
		return fmt.Errorf("event %d (%s): %w", e.GetEventId(), e.GetEventType(), err)
	}
	f.out.Record.LastEventID = e.GetEventId()
	return nil
}

func (f *Folder) take(e *historypb.HistoryEvent) error {
	if isOfUpdate(e) {
		return f.update(e)
	}
	if err := f.Flush(); err != nil {
		return err
	}
	input, err := f.input(e)
	if err != nil {
		return err
	}
	if started, ok := input.(run.Started); ok {
		// It is shown as planned before its first workflow task completes.
		return f.apply(started, e)
	}
	if input != nil {
		f.pending = append(f.pending, run.Stamped{Event: input, EventID: e.GetEventId(), At: e.GetEventTime().AsTime()})
		return nil
	}
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_TASK_STARTED:
		f.startedAt[e.GetEventId()] = e.GetEventTime().AsTime()
	case enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
		f.openTurn(e)
	case enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
		return f.activityScheduled(e)
	case enumspb.EVENT_TYPE_TIMER_STARTED:
		return f.timerStarted(e)
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
		enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		return f.closed(e)
	default:
		f.skip(e)
	}
	return nil
}

// openTurn takes the inputs that this completed workflow task had seen.
func (f *Folder) openTurn(e *historypb.HistoryEvent) {
	started := e.GetWorkflowTaskCompletedEventAttributes().GetStartedEventId()
	t := turn{event: e, now: f.startedAt[started]}
	var later []run.Stamped
	for _, s := range f.pending {
		if s.EventID < started {
			t.batch = append(t.batch, s)
		} else {
			later = append(later, s)
		}
	}
	f.pending, f.open = later, &t
}

func (f *Folder) activityScheduled(e *historypb.HistoryEvent) error {
	id := e.GetActivityTaskScheduledEventAttributes().GetActivityId()
	f.scheduled[e.GetEventId()] = id
	name, ok := parseActivityID(id)
	if !ok || name.purpose == forQueue || name.purpose == forContent {
		return nil
	}
	return f.apply(run.TaskScheduled{OfTask: run.OfTask{TaskID: name.taskID}, Call: name.call}, e)
}

// timerStarted says when a parked task goes on. Whose timer it is stands in its
// summary, because a timer's ID is the SDK's.
func (f *Folder) timerStarted(e *historypb.HistoryEvent) error {
	var summary string
	if err := f.dc.FromPayload(e.GetUserMetadata().GetSummary(), &summary); err != nil {
		return fmt.Errorf("whose timer this is: %w", err)
	}
	taskID, _, _ := strings.Cut(summary, timerSeparator)
	f.timers[e.GetEventId()] = taskID
	wait := e.GetTimerStartedEventAttributes().GetStartToFireTimeout().AsDuration()
	return f.apply(run.TimerSet{OfTask: run.OfTask{TaskID: taskID}, ResumeAt: e.GetEventTime().AsTime().Add(wait)}, e)
}

// closed takes an ending. What the workflow decided itself is in the record
// already; what the server decided is not.
func (f *Folder) closed(e *historypb.HistoryEvent) error {
	if !f.out.Record.Status.IsTerminal() {
		if err := f.apply(run.Ended{Error: endedBy(e)}, e); err != nil {
			return err
		}
	}
	at := e.GetEventTime().AsTime().UTC()
	f.out.Record.FinishedAt = &at
	f.out.Record.UpdatedAt = &at
	return nil
}

func (f *Folder) apply(event run.Event, e *historypb.HistoryEvent) error {
	at := e.GetEventTime().AsTime()
	if err := f.out.Record.Apply(event, at); err != nil {
		return err
	}
	f.out.Events = append(f.out.Events, run.Stamped{Event: event, EventID: e.GetEventId(), At: at})
	return nil
}

func endedBy(e *historypb.HistoryEvent) run.RunError {
	switch e.GetEventType() {
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED:
		reason := e.GetWorkflowExecutionTerminatedEventAttributes().GetReason()
		if reason == "" {
			reason = "no reason was given"
		}
		return run.RunError{Code: run.CodeRunTerminated, Message: "terminated by an operator: " + run.Summarize(reason)}
	case enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
		return run.RunError{Code: run.CodeRunTimedOut, Message: "the run took longer than the time it was given"}
	default:
		return run.RunError{Code: run.CodeInternal, Message: "the workflow ended before the run did"}
	}
}
