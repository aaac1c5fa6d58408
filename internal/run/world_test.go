package run

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/tutti-dev/tutti/internal/content"
)

// world is all that surrounds a record: it does what a decision asks for, and comes
// back with outcomes when chance wants it, in any grouping. Hosts send what they like.
type world struct {
	t    *rapid.T
	r    *Record
	plan *Plan
	now  time.Time

	calls, inspects, stores []string // by task: what was begun and has not come back
	timers                  []timer
	sent                    []HostSubmitted
	batches                 [][]Stamped // all that the record was given, to give it again
	times                   []time.Time // and when
	begun                   [][]Stamped // what was scheduled after each batch
}

type timer struct {
	task string
	kind TaskStatus // what the task was when it was started
}

// random draws from a list.
func random[V any](t *rapid.T, name string, of ...V) V { return rapid.SampledFrom(of).Draw(t, name) }

func number(t *rapid.T, name string, least, most int) int {
	return rapid.IntRange(least, most).Draw(t, name)
}

func chance(t *rapid.T, name string, percent int) bool {
	return number(t, name, 1, 100) <= percent
}

// randomPlan is a graph of 1 to 12 tasks with everything that a chain may ask for.
func randomPlan(t *rapid.T) *Plan {
	plan := &Plan{PromptFormat: 1, HostTimeoutMS: random(t, "host timeout", int64(0), 1000)}
	switch random(t, "budget", "none", "none", "cost", "tokens", "zero") {
	case "cost":
		limit := Decimal(big.NewRat(int64(number(t, "cents", 1, 60)), 100))
		plan.Budget.MaxCostUSD = &limit
	case "tokens":
		limit := int64(number(t, "tokens", 1, 600_000))
		plan.Budget.MaxTokens = &limit
	case "zero":
		zero := "0"
		plan.Budget.MaxCostUSD = &zero
	}
	n := number(t, "tasks", 1, 12)
	for i := range n {
		task := PlannedTask{
			ID: fmt.Sprint("t", i), Continue: chance(t, "continues", 25), ModelChoice: randomChoice(t),
			Backend: random(t, "backend", BackendProvider, BackendProvider, BackendHost, BackendHost, BackendInline),
		}
		for range number(t, "fallbacks", 0, 2) {
			task.Fallbacks = append(task.Fallbacks, randomChoice(t))
		}
		for j := range i {
			if chance(t, "needs", 30) {
				task.Needs = append(task.Needs, fmt.Sprint("t", j))
			}
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	plan.Tasks = rapid.Permutation(plan.Tasks).Draw(t, "order")
	return plan
}

func randomChoice(t *rapid.T) ModelChoice {
	return ModelChoice{
		Provider: "p", Model: random(t, "model", "one", "two"), Queue: random(t, "queue", "", "own"),
		Ceiling: number(t, "ceiling", 1, 200_000), Price: &Price{ID: "x", Input: "1", Output: "1"},
		Limits: Limits{ParkMS: random(t, "park", int64(0), time.Hour.Milliseconds())},
	}
}

// randomBatchOf is what came before one workflow task.
func (w *world) randomBatchOf() []Stamped {
	var batch []Stamped
	add := func(e Event) { batch = append(batch, Stamped{Event: e}) }
	percent := number(w.t, "hurry", 10, 90)
	w.calls = w.come(w.calls, percent, func(id string) { add(w.outcome(w.r.TaskByID(id))) })
	w.inspects = w.come(w.inspects, percent, func(id string) {
		add(QueueInspected{OfTask: OfTask{id}, Pollers: number(w.t, "pollers", 0, 1)})
	})
	w.stores = w.come(w.stores, percent, func(id string) {
		if chance(w.t, "the store is away", 40) {
			add(ContentDeferred{OfTask{id}})
			return
		}
		text := w.r.TaskByID(id)
		add(ContentStored{OfTask: OfTask{id}, Text: content.Text{SHA256: text.OutputSHA256, Size: text.OutputSize, Kept: true}})
	})
	var left []timer
	fired := map[string]bool{}
	for _, tm := range w.timers {
		if fired[tm.task] || !chance(w.t, "fires", percent) {
			left = append(left, tm)
			continue
		}
		fired[tm.task] = true
		add(TaskResumed{OfTask{tm.task}})
	}
	w.timers = left
	for range number(w.t, "messages", 0, 3) {
		add(w.message())
	}
	if chance(w.t, "cancel", 5) {
		add(CancelRequested{})
	}
	return batch
}

// come lets some of what is in flight come back.
func (w *world) come(flying []string, percent int, back func(id string)) (left []string) {
	for _, id := range flying {
		if chance(w.t, "comes", percent) {
			back(id)
		} else {
			left = append(left, id)
		}
	}
	return left
}

// outcome ends a task's activity.
func (w *world) outcome(task *Task) Event {
	of, charge := OfTask{task.ID}, w.charge(task)
	prompt := PromptInfo{Version: "v", SHA256: content.Digest(task.ID)}
	switch random(w.t, "outcome", "good", "good", "good", "error", "stopped", "unclaimed") {
	case "stopped":
		return TaskStopped{OfTask: of, Charge: charge}
	case "unclaimed":
		if task.Backend == BackendProvider && w.r.Choice(task).Queue != "" {
			return TaskUnclaimed{of}
		}
	case "error":
		failure := Failure{Code: random(w.t, "code", CodeRateLimited, CodeServerError, CodeTimeout, CodeContent, CodeAuth, CodeBudget, CodeInternal)}
		if failure.Code == CodeRateLimited {
			wait := int64(number(w.t, "retry after", 0, 7_200_000))
			failure.RetryAfterMS = &wait
		}
		if failure.Code == CodeContent {
			charge = Charge{} // Such an attempt asked nobody.
		}
		return TaskErrored{OfTask: of, Failure: failure, Charge: charge, Prompt: prompt}
	}
	if task.Backend != BackendProvider {
		return TaskPromptReady{OfTask: of, Prompt: prompt}
	}
	return TaskAnswered{
		OfTask: of, Executor: ExecutorProvider("p", "m"), Prompt: prompt, Output: content.Of("out of " + task.ID), Charge: charge,
		Degradations: random(w.t, "degraded", nil, nil, []Degradation{{Reason: DegradedSameFamilyFallback}}),
	}
}

// charge is up to what was reserved for the call.
func (w *world) charge(task *Task) Charge {
	reserved, quarters := task.turns.reserved, int64(number(w.t, "quarters", 0, 4))
	charge := Charge{Tokens: reserved.Tokens * quarters / 4}
	if reserved.CostUSD != "" {
		charge.CostUSD = Decimal(new(big.Rat).Mul(amount(reserved.CostUSD), big.NewRat(quarters, 4)))
	}
	return charge
}

// message is what a host sends, sense or nonsense.
func (w *world) message() Event {
	switch random(w.t, "message", "result", "result", "result", "again", "claim", "noise") {
	case "again":
		if len(w.sent) > 0 {
			e := rapid.SampledFrom(w.sent).Draw(w.t, "which")
			e.Signal = rapid.Bool().Draw(w.t, "by signal")
			return e
		}
	case "claim":
		return HostClaimed{Claim: ClaimRequest{
			TaskID: w.anyTask("", "no-such"), Holder: w.holder(), Takeover: rapid.Bool().Draw(w.t, "takeover"),
			LeaseSeconds: random(w.t, "lease", 0, 1, 60, 1<<30, -5),
		}}
	case "noise":
		return SignalUnreadable{}
	}
	e := HostSubmitted{Signal: rapid.Bool().Draw(w.t, "by signal"), Submission: Submission{
		TaskID: w.anyTask("", "no-such"), Outcome: random(w.t, "host outcome", OutcomeDone, OutcomeDone, OutcomeFailed, "perhaps"),
		Output: random(w.t, "output", content.Of("a"), content.Of("b"), content.Of(" "), content.Of("nul\x00"), content.Of(long), content.Of(long).Ref(),
			content.Text{SHA256: content.Digest("huge"), Size: MaxResult + 1, Kept: true}),
		SubmittedBy: w.holder(), ClaimToken: int64(number(w.t, "token", 0, 3)), SubmissionID: fmt.Sprint("s", len(w.sent)),
		PromptSHA256: random(w.t, "prompt", "", "", "", "another"), Reasoning: random(w.t, "reasoning", "", "why"),
	}}
	w.sent = append(w.sent, e)
	return e
}

func (w *world) anyTask(others ...string) string {
	ids := slices.Clone(others)
	for i := range w.r.Tasks {
		ids = append(ids, w.r.Tasks[i].ID, w.r.Tasks[i].ID)
	}
	return rapid.SampledFrom(ids).Draw(w.t, "task")
}

func (w *world) holder() string { return random(w.t, "holder", "ada/one", "ada/two", "bob/one") }

// do begins what a decision asks for, and tells the record so.
func (w *world) do(d Decision) {
	var begun []Stamped
	for _, id := range d.Start {
		w.calls = append(w.calls, id)
		begun = append(begun, Stamped{Event: TaskScheduled{OfTask: OfTask{id}, Call: min(w.r.TaskByID(id).Calls+1, 9)}})
	}
	for _, park := range d.Park {
		w.timers = append(w.timers, timer{park.TaskID, w.r.TaskByID(park.TaskID).Status})
	}
	w.inspects = append(w.inspects, d.Inspect...)
	w.stores = append(w.stores, d.Store...)
	for _, s := range begun {
		if err := w.r.Apply(s.Event, s.At); err != nil {
			w.t.Fatalf("what was decided cannot be begun: %v", err)
		}
	}
	w.begun = append(w.begun, begun)
	if w.r.CancelRequested {
		w.timers = nil // The workflow cancels them all.
	}
}
