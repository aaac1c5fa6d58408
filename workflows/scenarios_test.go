package workflows_test

import (
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// scenario is a run whose history is recorded for every release. The file bears
// its name; that it plays on today's code is a test of its own.
type scenario struct {
	name string
	play func(s *stage) (runID string)
}

func scenarios() []scenario {
	return []scenario{
		{"chain", func(s *stage) string {
			s.work()
			return s.start(listPlan(run.BackendProvider, "architect", "engineer", "reviewer"))
		}},
		{"inline", func(s *stage) string {
			s.work()
			return s.start(listPlan(run.BackendInline, "architect", "engineer"))
		}},
		{"mixed", func(s *stage) string {
			s.work()
			plan := listPlan(run.BackendProvider, "architect", "engineer")
			plan.Tasks[1].Backend = run.BackendInline
			return s.start(plan)
		}},
		{"fanout", func(s *stage) string {
			s.work()
			plan := listPlan(run.BackendProvider, "a", "b", "c", "d", "e", "f", "g", "h", "sum")
			for i := range 8 {
				plan.Tasks[i].Needs = nil
			}
			return s.start(plan)
		}},
		{"failure-skips", func(s *stage) string {
			s.script.fail("engineer", run.CodeAuth)
			s.work()
			return s.start(listPlan(run.BackendProvider, "architect", "engineer", "reviewer"))
		}},
		{"failure-continues", func(s *stage) string {
			s.script.fail("architect", run.CodeNoCredits)
			s.work()
			plan := listPlan(run.BackendProvider, "architect", "engineer")
			plan.Tasks[1].Continue = true
			return s.start(plan)
		}},
		{"cancelled", playCancelled},
		{"cancelled-before-worker", func(s *stage) string {
			id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			s.work()
			return id
		}},
		{"cancel-with-completion", playCancelWithCompletion},
		{"terminated", func(s *stage) string {
			s.script.hold("architect")
			s.work()
			id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
			s.until(id, "it runs", taskIs("architect", run.TaskRunning))
			require.NoError(s.t, s.client.TerminateWorkflow(s.t.Context(), id, "", "by the operator"))
			return id
		}},
		{"by-hand", func(s *stage) string { return playByHand(s, "engineer") }},
		{"by-hand-refused", func(s *stage) string { return playByHand(s, "nonsense") }},
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
