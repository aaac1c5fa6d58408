package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/tutti-dev/tutti/internal/content"
)

// long is a raw result that has to go into the store.
var long = strings.Repeat("0123456789abcdef", rawInline/16+1)

// Whatever the graph, the budget and the hosts, and however what comes is grouped
// into batches, a run keeps its rules at every step, and ends when all has come back.
func TestRandomLives(t *testing.T) {
	t.Parallel()
	for i := range 5 { // Each of them lives as often as -rapid.checks says, a hundred times if nothing is said.
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, randomLife)
		})
	}
}

func randomLife(t *rapid.T) {
	w := &world{t: t, r: &Record{}, plan: randomPlan(t), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	w.turn([]Stamped{{Event: Started{RunID: "run-1", TenantID: "default", Plan: w.plan, Request: Request{TextSize: 40}}}})
	for range number(t, "turns", 1, 40) {
		if w.r.Status.IsTerminal() {
			break
		}
		w.now = w.now.Add(time.Duration(number(t, "seconds", 0, 100)) * time.Second)
		w.turn(w.randomBatchOf())
	}
	w.finish()
	w.endsForGood()
	w.again()
}

// turn gives the record a batch and holds the result to the rules.
func (w *world) turn(batch []Stamped) {
	before := copied(w.r)
	w.shuffled(batch)
	w.batches, w.times = append(w.batches, batch), append(w.times, w.now)
	d, _, err := w.r.Turn(batch, w.now, noTime)
	require.NoError(w.t, err)
	w.rules(before, d)
	w.do(d)
	w.alive()
	w.roundTrip()
	w.impossible()
	w.duplicates()
}

// shuffled: the order of the outcomes within a batch decides nothing.
func (w *world) shuffled(batch []Stamped) {
	var outcomes, others []Stamped
	for _, s := range batch {
		if rank(s.Event) == rankOutcome {
			outcomes = append(outcomes, s)
		} else {
			others = append(others, s)
		}
	}
	if len(outcomes) > 1 {
		outcomes = rapid.Permutation(outcomes).Draw(w.t, "another order")
	}
	a, b := copied(w.r), copied(w.r)
	da, first, err := a.Turn(batch, w.now, noTime)
	require.NoError(w.t, err)
	db, second, err := b.Turn(slices.Concat(others, outcomes), w.now, noTime)
	require.NoError(w.t, err)
	same(w.t, encoded(w.t, a), encoded(w.t, b))
	require.Equal(w.t, da, db)
	require.Equal(w.t, names(first), names(second), "applied in one order")
}

func names(events []Stamped) (names []string) {
	for _, s := range events {
		names = append(names, TypeOf(s.Event)+" "+s.Event.Task())
	}
	return names
}

// rules compares the record before and after a turn.
func (w *world) rules(before *Record, d Decision) {
	r := w.r
	require.True(w.t, before.RunID == "" || r.Status == before.Status || mayBecome(runTransitions(), before.Status, r.Status), "%s → %s", before.Status, r.Status)
	for i := range before.Tasks {
		was, is := &before.Tasks[i], &r.Tasks[i]
		require.True(w.t, was.Status == is.Status || mayBecome(taskTransitions(), was.Status, is.Status), "%s: %s → %s", is.ID, was.Status, is.Status)
		if was.Host != nil && was.Host.ResultSHA256 != "" {
			require.Equal(w.t, was.Host.ResultSHA256, is.Host.ResultSHA256, "an accepted result stays")
			require.Equal(w.t, []any{was.Status, was.OutputSHA256, was.Host.SubmissionID}, []any{is.Status, is.OutputSHA256, is.Host.SubmissionID})
		}
	}
	for _, id := range d.Start {
		require.NotContains(w.t, w.calls, id, "it is in flight already")
		for _, need := range r.TaskByID(id).Needs {
			require.True(w.t, r.TaskByID(need).Status.IsTerminal(), "%s starts before %s has ended", id, need)
		}
	}
	require.LessOrEqual(w.t, len(d.Start), MaxStartsPerTurn)
	require.True(w.t, !r.CancelRequested || len(d.Start)+len(d.Park) == 0, "a cancelled run begins no call and no wait")
	status, reasons := Finalize(r)
	require.True(w.t, status.IsTerminal(), "Finalize is total")
	if r.Status.IsTerminal() {
		require.Equal(w.t, status, r.Status)
		require.Equal(w.t, reasons, r.DegradationReasons)
		require.Equal(w.t, Decision{}, d)
		for _, task := range r.Tasks {
			require.True(w.t, task.Status.IsTerminal(), "%s is %s in a run that is %s", task.ID, task.Status, r.Status)
			require.False(w.t, task.turns.storing)
			require.NotEqual(w.t, StateAwaitingHost, task.ExecutionState, task.ID)
		}
	}
	w.purse()
}

// purse: what was spent passes a cap by at most the one call that crossed it.
func (w *world) purse() {
	spent, most := w.r.purse().spent, Charge{}
	for i := range w.plan.Tasks {
		for _, choice := range append(w.plan.Tasks[i].Fallbacks, w.plan.Tasks[i].ModelChoice) {
			e := Estimate(w.r.promptBytes(w.r.TaskByID(w.plan.Tasks[i].ID)), choice.Ceiling, choice.Price)
			if most.Tokens < e.Tokens {
				most = e
			}
		}
	}
	if limit := w.r.Budget.MaxTokens; limit != nil {
		require.LessOrEqual(w.t, spent.Tokens, *limit+most.Tokens)
	}
	if limit := w.r.Budget.MaxCostUSD; limit != nil {
		bound := Charge{CostUSD: *limit}.Add(Charge{CostUSD: most.CostUSD})
		require.LessOrEqual(w.t, amount(spent.CostUSD).Cmp(amount(bound.CostUSD)), 0, "spent %s of %s", spent.CostUSD, *limit)
		require.True(w.t, *limit != "0" || amount(spent.CostUSD).Sign() == 0, "nothing may be spent")
	}
}

// alive: a run that has not ended has something in flight, or waits for a host; and it
// says that it waits exactly when nothing but parked tasks is left beside.
func (w *world) alive() {
	r := w.r
	if r.Status.IsTerminal() {
		require.Empty(w.t, w.calls)
		return
	}
	working := len(w.calls) + len(w.inspects) + len(w.stores)
	timers := 0
	for _, tm := range w.timers {
		switch {
		case tm.kind == TaskDone && r.TaskByID(tm.task).turns.waiting:
			working++
		case tm.kind == TaskParked:
			timers++
		}
	}
	awaiting := r.Counts()[TaskAwaitingHost]
	require.Positive(w.t, working+timers+awaiting, "the run hangs: %s", encoded(w.t, r))
	require.Equal(w.t, awaiting > 0 && working == 0, r.Status == AwaitingHost, "%d work, %d wait: %s", working, awaiting, r.Status)
}

// roundTrip: a record and its events are the same after a way through JSON.
func (w *world) roundTrip() {
	var again Record
	require.NoError(w.t, json.Unmarshal([]byte(encoded(w.t, w.r)), &again))
	same(w.t, encoded(w.t, w.r), encoded(w.t, &again))
}

// impossible: what cannot be is an error, panics nowhere, and changes no status.
func (w *world) impossible() {
	id := w.anyTask()
	of := OfTask{id}
	e := random[Event](w.t, "impossible", TaskScheduled{OfTask: OfTask{"no-such"}}, TaskScheduled{OfTask: of}, TaskAnswered{OfTask: of}, TaskPromptReady{OfTask: of},
		TaskErrored{OfTask: of, Failure: Failure{Code: CodeAuth}}, TaskPassedOver{OfTask: of}, TaskStopped{OfTask: of}, QueueInspected{OfTask: of})
	r := copied(w.r)
	if err := r.Apply(e, noTime); err != nil {
		for i := range r.Tasks {
			require.Equal(w.t, w.r.Tasks[i].Status, r.Tasks[i].Status, "%s of %s", TypeOf(e), id)
		}
		require.Equal(w.t, w.r.Status, r.Status)
		return
	}
	for i := range r.Tasks {
		was, is := w.r.Tasks[i].Status, r.Tasks[i].Status
		require.True(w.t, was == is || TaskCanGo(was, is), "%s took %s from %s to %s", TypeOf(e), id, was, is)
	}
}

// duplicates: results that count already change nothing, by whatever door they come.
func (w *world) duplicates() {
	if w.r.Status.IsTerminal() {
		return
	}
	var batch []Stamped
	for _, e := range w.sent {
		if accepted, _ := w.r.Judge(&e.Submission); accepted != nil && accepted.Duplicate {
			batch = append(batch, Stamped{Event: e})
		}
	}
	r := copied(w.r)
	d, _, err := r.Turn(batch, w.now, noTime)
	require.NoError(w.t, err)
	same(w.t, encoded(w.t, w.r), encoded(w.t, r))
	require.Equal(w.t, Decision{}, d)
}

// finish lets all come back that is out, and a host answer what waits.
func (w *world) finish() {
	for turns := 0; !w.r.Status.IsTerminal(); turns++ {
		require.Less(w.t, turns, 200, "it does not end: %s", encoded(w.t, w.r))
		w.now = w.now.Add(maxLease)
		var batch []Stamped
		add := func(e Event) { batch = append(batch, Stamped{Event: e}) }
		for _, id := range w.calls {
			if w.r.TaskByID(id).Backend == BackendProvider {
				add(TaskAnswered{OfTask: OfTask{id}, Output: content.Of("x"), Charge: w.r.TaskByID(id).turns.reserved})
			} else {
				add(TaskPromptReady{OfTask: OfTask{id}, Prompt: PromptInfo{SHA256: "x"}})
			}
		}
		for _, id := range w.inspects {
			add(QueueInspected{OfTask: OfTask{id}, Pollers: 1})
		}
		for _, id := range w.stores {
			add(ContentStored{OfTask: OfTask{id}, Text: content.Of(long).Ref()})
		}
		fired := map[string]bool{}
		for _, tm := range w.timers {
			if tm.kind != TaskAwaitingHost && !fired[tm.task] {
				fired[tm.task] = true
				add(TaskResumed{OfTask{tm.task}})
			}
		}
		for i := range w.r.Tasks {
			if w.r.Tasks[i].Status == TaskAwaitingHost {
				add(HostSubmitted{Submission: Submission{TaskID: w.r.Tasks[i].ID, Outcome: OutcomeDone, Output: content.Of("done at last")}})
			}
		}
		w.calls, w.inspects, w.stores, w.timers = nil, nil, nil, nil
		w.turn(batch)
	}
}

// endsForGood: nothing changes a run that has ended.
func (w *world) endsForGood() {
	before := encoded(w.t, w.r)
	events := []Event{CancelRequested{}, Closed{}, Ended{}, SignalUnreadable{}, HostClaimed{Claim: ClaimRequest{Holder: "ada/one"}}}
	for _, e := range w.sent {
		events = append(events, e)
	}
	for i := range w.r.Tasks {
		of := OfTask{w.r.Tasks[i].ID}
		events = append(events, TaskScheduled{OfTask: of}, TaskAnswered{OfTask: of}, TaskStopped{OfTask: of}, TaskResumed{of})
	}
	for _, e := range events {
		r := copied(w.r)
		var impossible *TransitionError
		require.ErrorAs(w.t, r.Apply(e, w.now), &impossible, TypeOf(e))
		same(w.t, before, encoded(w.t, r))
	}
	d, derived, err := copied(w.r).Settle(w.now)
	require.NoError(w.t, err)
	require.Empty(w.t, derived)
	require.Equal(w.t, Decision{}, d)
}

// again: the same batches, by way of their JSON, make the same record.
func (w *world) again() {
	r := &Record{}
	for i, batch := range w.batches {
		_, _, err := r.Turn(travelled(w.t, batch), w.times[i], noTime)
		require.NoError(w.t, err)
		for _, s := range travelled(w.t, w.begun[i]) {
			require.NoError(w.t, r.Apply(s.Event, noTime))
		}
	}
	same(w.t, encoded(w.t, w.r), encoded(w.t, r))
}

func travelled(t require.TestingT, batch []Stamped) []Stamped {
	out := make([]Stamped, len(batch))
	for i, s := range batch {
		raw, err := EncodeEvent(s)
		require.NoError(t, err)
		out[i], err = DecodeEvent(raw)
		require.NoError(t, err)
	}
	return out
}

// mayBecome says whether a table leads from one status to another, in any number of steps.
func mayBecome[S comparable](table map[S][]S, from, to S) bool {
	for _, next := range table[from] {
		if next == to || next != from && len(table[next]) > 0 && !slices.Contains(table[next], from) && mayBecome(table, next, to) {
			return true
		}
	}
	return slices.Contains(table[from], to)
}

// copied is a record of its own, with what only turns need.
func copied(r *Record) *Record {
	c := *r
	c.Tasks = slices.Clone(r.Tasks)
	c.RejectedSignals = slices.Clip(r.RejectedSignals)
	return &c
}

func encoded(t require.TestingT, r *Record) string {
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	return string(raw)
}

// same wants two records to be equal, and shows where they are not.
func same(t require.TestingT, want, got string) {
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(s string) string { return s[max(0, at-150):min(len(s), at+100)] }
	require.Fail(t, "two records differ", "…%s…\n…%s…", around(want), around(got))
}
