package workflows

import (
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// life is the state of one run in the workflow: the record, what was pinned at
// the start, and the activities in flight.
type life struct {
	runs   *Runs
	in     history.RunInput
	plan   *run.Plan
	record run.Record

	activities workflow.Context
	cancel     workflow.CancelFunc
	planning   workflow.Future
	inFlight   map[string]flight
	numbers    map[string]int

	signals  workflow.ReceiveChannel
	absorbed []run.Stamped     // applied by update handlers since the last turn
	raw      map[string]string // results that are on their way into the store
}

// flight is an activity or a timer whose end has not been taken yet. A task has
// at most one.
type flight struct {
	future workflow.Future
	event  func(history.Outcome) (run.Event, error)
	timer  bool
	ofHost bool                // the timer that bounds the wait for a host
	cancel workflow.CancelFunc // of a timer
}

func newLife(ctx workflow.Context, w *Runs, in history.RunInput) *life {
	detached, _ := workflow.NewDisconnectedContext(ctx)
	activities, cancel := workflow.WithCancel(detached)
	return &life{
		runs: w, in: in, plan: in.Plan,
		activities: activities, cancel: cancel, inFlight: make(map[string]flight),
		numbers: make(map[string]int), raw: make(map[string]string),
		signals: workflow.GetSignalChannel(ctx, history.SignalResult),
	}
}

// turn hands what has arrived to the domain and does what it decides.
func (l *life) turn(ctx workflow.Context, inputs []run.Event) {
	l.absorb(ctx, inputs)
	l.stopTimers()
	decision, derived, err := l.record.Settle(noTime)
	if err != nil {
		panic(err)
	}
	applied := slices.Concat(l.absorbed, derived)
	l.absorbed = nil
	if l.record.CancelRequested {
		l.cancelAll()
	}
	if l.record.AwaitsPlan && l.planning == nil {
		l.planning = l.schedulePlan()
	}
	for _, id := range decision.Start {
		applied = append(applied, l.start(id))
	}
	for _, park := range decision.Park {
		l.inFlight[park.TaskID] = l.startTimer(park)
	}
	for _, id := range decision.Inspect {
		l.inFlight[id] = l.inspect(id)
	}
	for _, id := range decision.Store {
		l.inFlight[id] = l.store(id)
	}
	l.showCard(ctx)
	l.runs.hook(&l.record, applied)
}

// absorb applies inputs without deciding anything. Update handlers absorb what
// has settled before they judge, so that the order is the fold's.
func (l *life) absorb(ctx workflow.Context, inputs []run.Event) {
	batch := make([]run.Stamped, 0, len(inputs))
	for _, e := range inputs {
		batch = append(batch, run.Stamped{Event: e})
		switch e := e.(type) {
		case run.PlanResolved:
			l.plan = &e.Plan
		case run.HostSubmitted:
			l.keepRaw(e)
		}
	}
	applied, err := l.record.Absorb(batch, workflow.Now(ctx))
	if err != nil {
		panic(err)
	}
	l.absorbed = append(l.absorbed, applied...)
}

// start schedules a task's activity and tells the record so.
func (l *life) start(taskID string) run.Stamped {
	task := l.record.TaskByID(taskID)
	future, call := l.schedule(task)
	l.inFlight[taskID] = flight{future: future, event: func(o history.Outcome) (run.Event, error) {
		return history.TaskEvent(taskID, call, o)
	}}
	scheduled := run.TaskScheduled{OfTask: run.OfTask{TaskID: taskID}, Call: call}
	if err := l.record.Apply(scheduled, noTime); err != nil {
		panic(err)
	}
	return run.Stamped{Event: scheduled}
}

// cancelAll cancels what is in flight and forgets the timers of tasks that have
// ended. A result on its way into the store is not cancelled: it counts.
func (l *life) cancelAll() {
	for i := range l.record.Tasks {
		id := l.record.Tasks[i].ID
		if f, ok := l.inFlight[id]; ok && f.timer && l.record.Tasks[i].Status.IsTerminal() {
			delete(l.inFlight, id)
		}
	}
	l.cancel()
}

// await blocks until something has arrived. It waits under the detached
// context, because a cancelled one would not wait at all.
func (l *life) await(ctx workflow.Context) {
	waiting, _ := workflow.NewDisconnectedContext(ctx)
	err := workflow.Await(waiting, func() bool {
		return l.cancelArrived(ctx) || l.planArrived() || l.anyTaskArrived() || l.signals.Len() > 0 || len(l.absorbed) > 0
	})
	if err != nil {
		panic(err) // A context that nobody can cancel does not end a wait.
	}
}

func (l *life) cancelArrived(ctx workflow.Context) bool {
	return ctx.Err() != nil && !l.record.CancelRequested
}

func (l *life) planArrived() bool { return l.planning != nil && l.planning.IsReady() }

func (l *life) anyTaskArrived() bool {
	for i := range l.record.Tasks {
		if f, ok := l.inFlight[l.record.Tasks[i].ID]; ok && f.future.IsReady() {
			return true
		}
	}
	return false
}

// arrived takes all that has arrived, in the order of a batch.
func (l *life) arrived(ctx workflow.Context) []run.Event {
	events := append(l.settled(ctx), l.signalled()...)
	if l.cancelArrived(ctx) {
		events = append(events, run.CancelRequested{})
	}
	return events
}

// settled takes the activities and timers that have ended, in the order of the tasks.
func (l *life) settled(ctx workflow.Context) []run.Event {
	var events []run.Event
	if l.planArrived() {
		events = append(events, must(history.PlanEvent(outcomeOf(ctx, l.planning))))
		l.planning = nil
	}
	for i := range l.record.Tasks {
		id := l.record.Tasks[i].ID
		f, ok := l.inFlight[id]
		if !ok || !f.future.IsReady() {
			continue
		}
		delete(l.inFlight, id)
		events = append(events, must(f.event(outcomeOf(ctx, f.future))))
	}
	return events
}

func outcomeOf(ctx workflow.Context, f workflow.Future) history.Outcome {
	return history.Outcome{
		Err: f.Get(ctx, nil),
		Get: func(into any) error { return f.Get(ctx, into) },
	}
}

// must stops the workflow task when a payload does not decode. Guessing would
// lose a result; a build that can read it goes on where this one stopped.
func must(e run.Event, err error) run.Event {
	if err != nil {
		panic(err)
	}
	return e
}
