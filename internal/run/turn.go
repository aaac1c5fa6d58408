package run

import (
	"fmt"
	"slices"
	"time"
)

// MaxStartsPerTurn bounds how many activities one workflow task schedules.
const MaxStartsPerTurn = 32

// Stamped is an event with its place in the history. In the workflow both are zero.
type Stamped struct {
	Event   Event
	EventID int64
	At      time.Time
}

// Turn takes one batch of inputs, in the order the batch came in, brings it
// into the order that both the workflow and the fold use, applies it, and
// applies what follows from it without anybody's help: skips, the end.
//
// It returns the IDs of the tasks to start now, and all events it applied in
// the order it applied them. The caller applies TaskScheduled for what it
// starts: the workflow when it schedules, the fold when it reads that it did.
// end is the time to stamp on what follows from the batch.
func (r *Record) Turn(batch []Stamped, end time.Time) (starts []string, applied []Stamped, err error) {
	batch = slices.Clone(batch)
	slices.SortStableFunc(batch, r.compare)
	for _, s := range batch {
		if err := r.Apply(s.Event, s.At); err != nil {
			return nil, applied, fmt.Errorf("event %d: %w", s.EventID, err)
		}
		applied = append(applied, s)
	}
	starts, derived, err := r.decide(end)
	return starts, append(applied, derived...), err
}

// The order within a batch: what opens the run, activity outcomes by task,
// cancellation last.
const (
	rankOutcome = iota
	rankCancel
)

func (r *Record) compare(a, b Stamped) int {
	if ra, rb := rank(a.Event), rank(b.Event); ra != rb {
		return ra - rb
	}
	return r.seq(a.Event) - r.seq(b.Event)
}

func rank(e Event) int {
	switch e.(type) {
	case CancelRequested:
		return rankCancel
	default:
		return rankOutcome
	}
}

func (r *Record) seq(e Event) int {
	if t := r.TaskByID(e.Task()); t != nil {
		return t.Seq
	}
	return 0
}

// decide applies what the record itself implies and says what to start.
func (r *Record) decide(at time.Time) (starts []string, derived []Stamped, err error) {
	apply := func(e Event) error {
		derived = append(derived, Stamped{Event: e, At: at})
		return r.Apply(e, at)
	}
	if r.Status.IsTerminal() {
		return nil, nil, nil
	}
	for _, e := range r.passOver() {
		if err := apply(e); err != nil {
			return nil, derived, err
		}
	}
	starts = r.ready()
	if len(starts) == 0 && r.isFinished() {
		err = apply(Closed{})
		return nil, derived, err
	}
	return starts, derived, r.goTo(r.liveStatus(len(starts) > 0))
}

// passOver returns the events that close queued tasks which will never start:
// all of them once a cancellation was seen, else those whose needs failed.
func (r *Record) passOver() []Event {
	var events []Event
	gone := make(map[string]bool)
	for i := range r.Tasks {
		if s := r.Tasks[i].Status; s == TaskFailed || s == TaskSkipped || s == TaskCancelled {
			gone[r.Tasks[i].ID] = true
		}
	}
	for again := true; again; {
		again = false
		for i := range r.Tasks {
			t := &r.Tasks[i]
			if gone[t.ID] || !r.mustPassOver(t, gone) {
				continue
			}
			gone[t.ID], again = true, true
			if r.CancelRequested || r.Error != nil {
				events = append(events, TaskStopped{OfTask: OfTask{t.ID}})
			} else {
				events = append(events, TaskPassedOver{OfTask: OfTask{t.ID}, Reason: SkipUpstreamFailed})
			}
		}
	}
	return events
}

func (r *Record) mustPassOver(t *Task, gone map[string]bool) bool {
	if r.CancelRequested || r.Error != nil {
		return t.Status == TaskQueued || t.Status == TaskAwaitingHost || t.Status == TaskParked
	}
	if t.Status != TaskQueued || t.ContinueOnUpstreamFailure {
		return false
	}
	return slices.ContainsFunc(t.Needs, func(id string) bool { return gone[id] })
}

// ready lists the queued tasks whose needs have all ended, by seq.
func (r *Record) ready() []string {
	var ids []string
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status == TaskQueued && r.needsEnded(t) && len(ids) < MaxStartsPerTurn {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

func (r *Record) needsEnded(t *Task) bool {
	return !slices.ContainsFunc(t.Needs, func(id string) bool {
		need := r.TaskByID(id)
		return need != nil && !need.Status.IsTerminal()
	})
}

func (r *Record) isFinished() bool {
	if r.AwaitsPlan {
		return false
	}
	return !slices.ContainsFunc(r.Tasks, func(t Task) bool { return !t.Status.IsTerminal() })
}

// liveStatus is the status of a run that goes on.
func (r *Record) liveStatus(starting bool) Status {
	counts := r.Counts()
	if counts[TaskAwaitingHost] > 0 && counts[TaskRunning] == 0 && !starting {
		return AwaitingHost
	}
	return Running
}
