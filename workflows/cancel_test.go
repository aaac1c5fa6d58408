package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func taskIs(id string, status run.TaskStatus) func(run.Record) bool {
	return func(r run.Record) bool {
		task := r.TaskByID(id)
		return task != nil && task.Status == status
	}
}

func TestCancelAbortsTheCallInFlightAndClosesTheRest(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.hold("two")
	s.work()
	id := s.start(listPlan(run.BackendProvider, "one", "two", "three"))
	s.until(id, "two runs", taskIs("two", run.TaskRunning))

	require.NoError(t, s.runs.Cancel(t.Context(), id))
	record := s.finished(id)
	require.Equal(t, run.Cancelled, record.Status)
	require.Equal(t, "one=done two=cancelled three=cancelled ", statuses(record))
	s.requireAgreement(id)
	require.NoError(t, s.runs.Cancel(t.Context(), id), "cancelling again changes nothing")
}

func TestCancelBeforeAnyWorkerEndsTheRunWhenOneComes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(listPlan(run.BackendProvider, "one", "two"))
	require.Equal(t, run.Planned, s.until(id, "it is planned", func(r run.Record) bool { return r.Status == run.Planned }).Status)
	require.NoError(t, s.runs.Cancel(t.Context(), id))
	s.work()
	record := s.finished(id)
	require.Equal(t, run.Cancelled, record.Status)
	require.Equal(t, "one=cancelled two=cancelled ", statuses(record))
	s.requireAgreement(id)
}

// The two events are forced into one workflow task by stopping the workflow
// worker before either happens.
func TestAResultThatComesTogetherWithTheCancellationCounts(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	release := s.script.hold("one")
	stopWorkflows, _ := s.workApart()
	id := s.start(listPlan(run.BackendProvider, "one", "two"))
	s.until(id, "one runs", taskIs("one", run.TaskRunning))

	stopWorkflows()
	require.NoError(t, s.runs.Cancel(t.Context(), id))
	release()
	s.untilEvent(id, "ActivityTaskCompleted", 1)
	s.workflowsOnly()
	record := s.finished(id)
	require.Equal(t, run.Cancelled, record.Status)
	require.Equal(t, "one=done two=cancelled ", statuses(record))
	s.requireAgreement(id)
}

func TestTwoCompletionsInOneWorkflowTaskFoldInTheOrderOfTheTasks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	releaseA, releaseB := s.script.hold("a"), s.script.hold("b")
	plan := listPlan(run.BackendProvider, "a", "b", "c")
	plan.Tasks[1].Needs = nil
	stopWorkflows, _ := s.workApart()
	id := s.start(plan)
	s.until(id, "both run", func(r run.Record) bool {
		return taskIs("a", run.TaskRunning)(r) && taskIs("b", run.TaskRunning)(r)
	})

	stopWorkflows()
	releaseB()
	s.untilEvent(id, "ActivityTaskCompleted", 1)
	releaseA()
	s.untilEvent(id, "ActivityTaskCompleted", 2)
	s.workflowsOnly()
	record := s.finished(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "a=done b=done c=done ", statuses(record))
	s.requireAgreement(id)
}
