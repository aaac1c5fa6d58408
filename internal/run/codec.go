package run

import (
	"encoding/json"
	"fmt"
	"time"
)

// encodedEvent is a stamped event as stores and readers see it.
type encodedEvent struct {
	Type    string          `json:"type"`
	EventID int64           `json:"eventId,omitempty"`
	At      time.Time       `json:"at,omitzero"`
	Event   json.RawMessage `json:"event"`
}

// EncodeEvent writes an event with its place in the history as JSON:
// {"type", "eventId", "at", "event"}.
func EncodeEvent(s Stamped) ([]byte, error) {
	name := TypeOf(s.Event)
	if !hasDecoder(s.Event) {
		return nil, fmt.Errorf("encode event: unknown type %T", s.Event)
	}
	body, err := json.Marshal(s.Event)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", name, err)
	}
	raw, err := json.Marshal(encodedEvent{Type: name, EventID: s.EventID, At: s.At, Event: body})
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", name, err)
	}
	return raw, nil
}

// DecodeEvent reads what EncodeEvent wrote.
func DecodeEvent(raw []byte) (Stamped, error) {
	var e encodedEvent
	if err := json.Unmarshal(raw, &e); err != nil {
		return Stamped{}, fmt.Errorf("decode event: %w", err)
	}
	decode, known := decoders()[e.Type]
	if !known {
		return Stamped{}, fmt.Errorf("decode event: unknown type %q", e.Type)
	}
	event, err := decode(e.Event)
	if err != nil {
		return Stamped{}, fmt.Errorf("decode %s: %w", e.Type, err)
	}
	return Stamped{Event: event, EventID: e.EventID, At: e.At}, nil
}

// decoders maps every event's name to its decoder. The names are TypeOf's own.
func decoders() map[string]func([]byte) (Event, error) {
	table := make(map[string]func([]byte) (Event, error))
	addDecoder[Started](table)
	addDecoder[PlanResolved](table)
	addDecoder[PlanFailed](table)
	addDecoder[PlanStopped](table)
	addDecoder[TaskScheduled](table)
	addDecoder[TaskPromptReady](table)
	addDecoder[TaskAnswered](table)
	addDecoder[TaskErrored](table)
	addDecoder[HostSubmitted](table)
	addDecoder[SignalUnreadable](table)
	addDecoder[HostClaimed](table)
	addDecoder[ContentStored](table)
	addDecoder[ContentDeferred](table)
	addDecoder[TaskUnclaimed](table)
	addDecoder[QueueInspected](table)
	addDecoder[TaskResumed](table)
	addDecoder[TimerSet](table)
	addDecoder[TaskStopped](table)
	addDecoder[TaskPassedOver](table)
	addDecoder[CancelRequested](table)
	addDecoder[Closed](table)
	addDecoder[Ended](table)
	return table
}

// hasDecoder says whether an event can be read again. It is asked for each event of
// each run, for which making the table would cost more than the encoding.
func hasDecoder(e Event) bool {
	switch e.(type) {
	case Started, PlanResolved, PlanFailed, PlanStopped, TaskScheduled, TaskPromptReady, TaskAnswered, TaskErrored,
		HostSubmitted, SignalUnreadable, HostClaimed, ContentStored, ContentDeferred, TaskUnclaimed, QueueInspected,
		TaskResumed, TimerSet, TaskStopped, TaskPassedOver, CancelRequested, Closed, Ended:
		return true
	default:
		return false
	}
}

func addDecoder[E Event](table map[string]func([]byte) (Event, error)) {
	var zero E
	table[TypeOf(zero)] = func(raw []byte) (Event, error) {
		var e E
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		return e, nil
	}
}
