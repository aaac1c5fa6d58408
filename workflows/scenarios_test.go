package workflows_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// scenario is a run whose history is recorded for every shape that its workflow
// had. The file bears its name; that it plays on today's code is a test of its own.
type scenario struct {
	name string
	play func(s *stage) (runID string)
	slow bool // it waits for a durable timer of half a minute or more, and is played only to be recorded
	race bool // what is ordered depends on what comes first, and only what is scheduled does not
}

func scenarios() []scenario {
	return slices.Concat(providerScenarios(), hostScenarios(), edgeScenarios())
}

func providerScenarios() []scenario {
	return []scenario{
		{name: "chain", play: func(s *stage) string {
			s.work()
			return s.start(listPlan(run.BackendProvider, "architect", "engineer", "reviewer"))
		}},
		{name: "inline", play: func(s *stage) string {
			s.work()
			return s.start(listPlan(run.BackendInline, "architect", "engineer"))
		}},
		{name: "mixed", play: func(s *stage) string {
			s.work()
			plan := listPlan(run.BackendProvider, "architect", "engineer")
			plan.Tasks[1].Backend = run.BackendInline
			return s.start(plan)
		}},
		{name: "fanout", play: func(s *stage) string {
			s.work()
			plan := listPlan(run.BackendProvider, "a", "b", "c", "d", "e", "f", "g", "h", "sum")
			for i := range 8 {
				plan.Tasks[i].Needs = nil
			}
			return s.start(plan)
		}},
		{name: "failure-skips", play: func(s *stage) string {
			s.script.fail("engineer", run.CodeAuth)
			s.work()
			return s.start(listPlan(run.BackendProvider, "architect", "engineer", "reviewer"))
		}},
		{name: "failure-continues", play: func(s *stage) string {
			s.script.fail("architect", run.CodeNoCredits)
			s.work()
			plan := listPlan(run.BackendProvider, "architect", "engineer")
			plan.Tasks[1].Continue = true
			return s.start(plan)
		}},
		{name: "cancelled", play: playCancelled},
		{name: "cancelled-before-worker", play: func(s *stage) string {
			id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			s.work()
			return id
		}},
		{name: "cancel-with-completion", play: playCancelWithCompletion},
		{name: "terminated", play: func(s *stage) string {
			s.script.hold("architect")
			s.work()
			id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
			s.until(id, "it runs", taskIs("architect", run.TaskRunning))
			require.NoError(s.t, s.client.TerminateWorkflow(s.t.Context(), id, "", "by the operator"))
			return id
		}},
		{name: "by-hand", play: func(s *stage) string { return playByHand(s, "engineer") }},
		{name: "by-hand-refused", play: func(s *stage) string { return playByHand(s, "nonsense") }},
		{name: "fallback", play: playFallback},
		{name: "budget", play: playBudget},
		{name: "budget-for-one", play: playBudgetForOne},
		{name: "queue-without-worker", play: playQueueWithoutWorker},
		{name: "parked", play: playParked, slow: true},
		{name: "store-away", play: playStoreAway, slow: true},
	}
}

func playCancelled(s *stage) string {
	s.script.hold("engineer")
	s.work()
	id := s.start(listPlan(run.BackendProvider, "architect", "engineer", "reviewer"))
	s.until(id, "engineer runs", taskIs("engineer", run.TaskRunning))
	require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
	return id
}

func playCancelWithCompletion(s *stage) string {
	release := s.script.hold("architect")
	stopWorkflows, _ := s.workApart()
	id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
	s.until(id, "architect runs", taskIs("architect", run.TaskRunning))
	stopWorkflows()
	require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
	release()
	s.untilEvent(id, "ActivityTaskCompleted", 1)
	s.workflowsOnly()
	return id
}

func playByHand(s *stage, chain string) string {
	s.work()
	started, err := s.runs.Start(s.t.Context(), runs.Start{Input: history.RunInput{Request: content.Of("please"), Chain: chain}})
	require.NoError(s.t, err)
	return started.RunID
}

func priced(plan run.Plan, cost string) run.Plan {
	plan.Budget.MaxCostUSD = &cost
	for i := range plan.Tasks {
		plan.Tasks[i].Needs = nil
		plan.Tasks[i].Ceiling = 100_000
		plan.Tasks[i].Price = &run.Price{ID: "test", Input: "0", Output: "1"}
	}
	return plan
}

func playFallback(s *stage) string {
	s.script.models["echo"] = run.Failure{Code: run.CodeServerError, Message: "as the script says", Attempts: 3}
	s.work()
	plan := listPlan(run.BackendProvider, "architect", "engineer")
	plan.Tasks[0].Fallbacks = []run.ModelChoice{{Provider: "demo", Model: "echo-1"}}
	return s.start(plan)
}

// Each call is estimated at ten cents and costs one: with twelve cents the
// first starts alone, and the others one after the other.
func playBudget(s *stage) string {
	s.work()
	return s.start(priced(listPlan(run.BackendProvider, "a", "b", "c"), "0.12"))
}

// Two calls end in one workflow task and leave enough for one of the two that wait.
func playBudgetForOne(s *stage) string {
	releaseA, releaseB := s.script.hold("a"), s.script.hold("b")
	stopWorkflows, _ := s.workApart()
	id := s.start(priced(listPlan(run.BackendProvider, "a", "b", "c", "d"), "0.21"))
	s.until(id, "two run", func(r run.Record) bool {
		return taskIs("a", run.TaskRunning)(r) && taskIs("b", run.TaskRunning)(r)
	})
	stopWorkflows()
	releaseB()
	releaseA()
	s.untilEvent(id, "ActivityTaskCompleted", 2)
	s.workflowsOnly()
	return id
}

func playQueueWithoutWorker(s *stage) string {
	s.work()
	plan := listPlan(run.BackendProvider, "architect", "engineer")
	plan.Tasks[1].Queue = "tutti-provider-nobody"
	return s.start(plan)
}

func playParked(s *stage) string {
	wait := int64(61_000)
	s.script.once["architect"] = run.Failure{Code: run.CodeRateLimited, Message: "as the script says", RetryAfterMS: &wait}
	s.work()
	plan := listPlan(run.BackendProvider, "architect", "engineer")
	plan.Tasks[0].Limits.ParkMS = 120_000
	return s.start(plan)
}

func playStoreAway(s *stage) string {
	s.script.once["architect"] = run.Failure{Code: run.CodeContent, Message: "as the script says"}
	s.work()
	return s.start(listPlan(run.BackendProvider, "architect", "engineer"))
}
