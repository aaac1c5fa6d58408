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

// Decision is what a turn asks its caller to do.
type Decision struct {
	// Start lists the tasks whose activity is to be scheduled, by seq.
	Start []string
	// Park lists the timers to be started.
	Park []Park
	// Inspect lists the tasks about whose queue somebody has to be asked.
	Inspect []string
	// Store lists the tasks whose raw result has to be moved into the store.
	Store []string
}

// Park is a timer: the task goes on after the wait.
type Park struct {
	TaskID string
	Wait   time.Duration
}

// Turn takes one batch of inputs and decides: Absorb, then Settle. now is the
// start of the workflow task, the only clock in a decision; end is the time to
// stamp on what follows from the batch.
func (r *Record) Turn(batch []Stamped, now, end time.Time) (Decision, []Stamped, error) {
	applied, err := r.Absorb(batch, now)
	if err != nil {
		return Decision{}, applied, err
	}
	d, derived, err := r.Settle(end)
	return d, append(applied, derived...), err
}

// Absorb brings inputs into the order that both the workflow and the fold use,
// and applies them. The workflow absorbs in pieces, because it answers updates
// before it decides; the pieces are in that order.
func (r *Record) Absorb(batch []Stamped, now time.Time) (applied []Stamped, err error) {
	r.now = now
	batch = slices.Clone(batch)
	slices.SortStableFunc(batch, r.compare)
	for _, s := range batch {
		if err := r.Apply(s.Event, s.At); err != nil {
			return applied, fmt.Errorf("event %d: %w", s.EventID, err)
		}
		applied = append(applied, s)
	}
	return applied, nil
}

// The order within a batch: what opens the run, activity outcomes and timers by
// task, updates, signals, cancellation last.
const (
	rankOutcome = iota
	rankUpdate
	rankSignal
	rankCancel
)

func (r *Record) compare(a, b Stamped) int {
	if ra, rb := rank(a.Event), rank(b.Event); ra != rb {
		return ra - rb
	}
	if rank(a.Event) != rankOutcome {
		return 0 // Updates and signals stay in the order they came in.
	}
	return r.seq(a.Event) - r.seq(b.Event)
}

func rank(e Event) int {
	switch e := e.(type) {
	case HostClaimed:
		return rankUpdate
	case HostSubmitted:
		if e.Signal {
			return rankSignal
		}
		return rankUpdate
	case SignalUnreadable:
		return rankSignal
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

// Settle applies what the record itself implies (skips, the end) and says what to
// do now. The caller applies TaskScheduled for what it starts: the workflow when
// it schedules, the fold when it reads that it did.
func (r *Record) Settle(at time.Time) (d Decision, derived []Stamped, err error) {
	apply := func(e Event) error {
		derived = append(derived, Stamped{Event: e, At: at})
		return r.Apply(e, at)
	}
	if r.Status.IsTerminal() {
		return d, nil, nil
	}
	for again := true; again; {
		for _, e := range r.passOver() {
			if err := apply(e); err != nil {
				return d, derived, err
			}
		}
		var unpaid []Event
		d.Start, unpaid = r.affordable(r.ready())
		for _, e := range unpaid {
			if err := apply(e); err != nil {
				return d, derived, err
			}
		}
		again = len(unpaid) > 0 // What needs an unpaid task is passed over as well.
	}
	if len(d.Start) == 0 && r.isFinished() {
		err = apply(Closed{})
		return d, derived, err
	}
	r.takeWaits(&d)
	return d, derived, r.goTo(r.liveStatus(len(d.Start) > 0))
}

// affordable splits the tasks that could start into those that the budget lets
// start, and the events that end the others when nothing in flight could leave
// them anything.
func (r *Record) affordable(ready []string) (starts []string, unpaid []Event) {
	if r.Budget == (Budget{}) {
		return ready, nil
	}
	purse := r.purse()
	var held []*Task
	for _, id := range ready {
		t := r.TaskByID(id)
		if t.Backend != BackendProvider || purse.take(r.estimate(t)) {
			starts = append(starts, id)
		} else {
			held = append(held, t)
		}
	}
	if purse.inFlight > 0 || len(starts) > 0 {
		return starts, nil
	}
	for _, t := range held {
		of := OfTask{t.ID}
		if t.Status == TaskQueued {
			unpaid = append(unpaid, TaskPassedOver{OfTask: of, Reason: SkipBudgetExceeded})
		} else {
			unpaid = append(unpaid, TaskErrored{OfTask: of, Failure: Failure{
				Code: CodeBudget, Message: "the run's budget leaves nothing for another call",
				Remediation: "submit again with a higher --max-cost or --max-tokens",
			}})
		}
	}
	return starts, unpaid
}

// takeWaits hands out what this turn has to begin beside the starts.
func (r *Record) takeWaits(d *Decision) {
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.turns.wait > 0 && (t.Status == TaskParked || t.turns.waiting) {
			d.Park = append(d.Park, Park{TaskID: t.ID, Wait: time.Duration(t.turns.wait) * time.Millisecond})
			t.turns.wait = 0
		}
		if t.turns.timer {
			if ms := r.hostTimeoutMS(); ms > 0 && t.Status == TaskAwaitingHost {
				d.Park = append(d.Park, Park{TaskID: t.ID, Wait: time.Duration(ms) * time.Millisecond})
			}
			t.turns.timer = false
		}
		if t.turns.inspect {
			d.Inspect = append(d.Inspect, t.ID)
			t.turns.inspect = false
		}
		if t.turns.store {
			d.Store = append(d.Store, t.ID)
			t.turns.store = false
		}
	}
}

func (r *Record) hostTimeoutMS() int64 {
	if r.plan == nil {
		return 0
	}
	return r.plan.HostTimeoutMS
}
