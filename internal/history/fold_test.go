package history_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func answer(text string) history.TaskResult {
	return history.TaskResult{Executor: "provider:demo:echo", Output: content.Of(text)}
}

func TestARunIsPlannedUntilAWorkflowTaskCompletes(t *testing.T) {
	t.Parallel()
	s := started(t, "one")
	f := s.folded()
	require.Equal(t, run.Planned, f.Record.Status)
	require.Equal(t, []string{"run-started"}, kinds(f.Events))
	require.Equal(t, int64(2), f.Record.LastEventID)
	require.Equal(t, begin(t).Add(time.Second), *f.Record.CreatedAt)

	// The first workflow task times out, the second fails; neither changes anything.
	s.taken()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, nil)
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, nil)
	s.taken()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED, nil)
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, nil)
	require.Equal(t, run.Planned, s.folded().Record.Status)

	s.done(s.taken())
	s.scheduled(history.CallActivityID("one", 1, 1))
	f = s.folded()
	require.Equal(t, run.Running, f.Record.Status)
	require.Equal(t, []string{"run-started", "task-scheduled"}, kinds(f.Events), "the run is opened once")
	require.Empty(t, f.Unknown)
}

func TestAResultWaitsForTheWorkflowTaskThatSeesIt(t *testing.T) {
	t.Parallel()
	s := started(t, "one", "two")
	s.done(s.taken())
	one := s.scheduled(history.CallActivityID("one", 1, 1))
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, nil)
	early := s.taken()
	between := s.answered(one, answer("first"))
	s.done(early)
	f := s.folded()
	require.Equal(t, run.TaskRunning, f.Record.Tasks[0].Status, "that workflow task had not seen the result")

	// A workflow task that failed took nothing either.
	s.taken()
	s.add(enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED, nil)
	require.Equal(t, run.TaskRunning, s.folded().Record.Tasks[0].Status)

	s.done(s.taken())
	f = s.folded()
	require.Equal(t, run.TaskDone, f.Record.Tasks[0].Status)
	require.Equal(t, "first", f.Record.Tasks[0].Output)
	last := f.Events[len(f.Events)-1]
	require.Equal(t, between, last.EventID, "an event keeps its place")
	require.Equal(t, begin(t).Add(time.Duration(between)*time.Second), *f.Record.Tasks[0].FinishedAt)
}

func TestWhatFollowsFromABatchCarriesTheWorkflowTasksEvent(t *testing.T) {
	t.Parallel()
	s := started(t, "one", "two")
	s.done(s.taken())
	one := s.scheduled(history.CallActivityID("one", 1, 1))
	s.lost(one, nil)
	started := s.taken()
	s.done(started)
	f := s.folded()
	require.Equal(t, run.CompletedWithFailures, f.Record.Status)
	require.Equal(t, []string{"run-started", "task-scheduled", "task-failed", "task-skipped", "run-closed"}, kinds(f.Events))
	require.Equal(t, started+1, f.Events[3].EventID)
	require.Equal(t, started+1, f.Events[4].EventID)
	require.Equal(t, run.CodeWorkerLost, f.Record.Tasks[0].Error.Code)
}

func TestAnActivityLostAfterAFailureIsALostWorker(t *testing.T) {
	t.Parallel()
	s := started(t, "one")
	s.done(s.taken())
	one := s.scheduled(history.CallActivityID("one", 1, 1))
	converter := temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{})
	s.lost(one, converter.ErrorToFailure(ours(run.CodeRateLimited)))
	s.done(s.taken())
	task := s.folded().Record.Tasks[0]
	require.Equal(t, run.CodeWorkerLost, task.Error.Code)
	require.Equal(t, int64(7), *task.Usage.InputTokens, "what the attempts before had used is not forgotten")
}

func TestAServersEndingClosesWhatIsOpen(t *testing.T) {
	t.Parallel()
	s := started(t, "one")
	s.terminated("")
	f := s.folded()
	require.Equal(t, run.Errored, f.Record.Status)
	require.Equal(t, run.CodeRunTerminated, f.Record.Error.Code)
	require.Equal(t, run.TaskCancelled, f.Record.Tasks[0].Status)
	require.Equal(t, begin(t).Add(3*time.Second), *f.Record.FinishedAt)
	require.Equal(t, []string{"run-started", "run-ended"}, kinds(f.Events), "also when no workflow task was ever completed")

	s = started(t, "one", "two")
	s.done(s.taken())
	s.answered(s.scheduled(history.CallActivityID("one", 1, 1)), answer("not seen any more"))
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT, nil)
	f = s.folded()
	require.Equal(t, run.CodeRunTimedOut, f.Record.Error.Code)
	require.Equal(t, run.TaskCancelled, f.Record.Tasks[0].Status, "no workflow task took that result")

	s = started(t, "one")
	s.done(s.taken())
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED, nil)
	require.Equal(t, run.CodeInternal, s.folded().Record.Error.Code)
}

func TestTheWorkflowsOwnEndingIsDecidedOnce(t *testing.T) {
	t.Parallel()
	s := started(t, "one")
	s.done(s.taken())
	s.answered(s.scheduled(history.CallActivityID("one", 1, 1)), answer("done"))
	s.done(s.taken())
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, nil)
	f := s.folded()
	require.Equal(t, run.Completed, f.Record.Status)
	require.Nil(t, f.Record.Error)
	require.Equal(t, "run-closed", kinds(f.Events)[len(f.Events)-1])
	require.Equal(t, begin(t).Add(time.Duration(len(s.events))*time.Second), *f.Record.FinishedAt)
}

func TestTheEventsAloneMakeTheRecord(t *testing.T) {
	t.Parallel()
	s := started(t, "one", "two")
	s.done(s.taken())
	s.answered(s.scheduled(history.CallActivityID("one", 1, 1)), answer("done"))
	s.done(s.taken())
	s.scheduled(history.CallActivityID("two", 1, 1))
	s.terminated("enough")
	f := s.folded()
	var again run.Record
	for _, e := range f.Events {
		require.NoError(t, again.Apply(e.Event, e.At))
	}
	require.Equal(t, f.Record.Tasks, again.Tasks)
	require.Equal(t, f.Record.Error, again.Error)
	require.Equal(t, f.Record.FinishedAt, again.FinishedAt)
}

func TestEventsThatTheFoldDoesNotKnowAreCounted(t *testing.T) {
	t.Parallel()
	s := started(t, "one")
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED, nil)
	s.add(enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED, nil)
	s.add(enumspb.EventType(9999), nil)
	s.add(enumspb.EVENT_TYPE_MARKER_RECORDED, nil)
	f := s.folded()
	require.Equal(t, map[string]int{"WorkflowExecutionSignaled": 2, "9999": 1}, f.Unknown)
	require.Equal(t, int64(6), f.Record.LastEventID)
}

func TestAnEventThatDoesNotDecodeIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(*scroll)
		want  string
	}{
		"no input": {func(s *scroll) { s.events = nil; s.open("garbage") }, "event 1 (WorkflowExecutionStarted)"},
		"no result": {func(s *scroll) {
			s.answered(s.scheduled(history.CallActivityID("one", 1, 1)), "garbage")
		}, "event 6 (ActivityTaskCompleted)"},
		"nobody's result": {func(s *scroll) { s.answered(99, answer("?")) }, "no activity was scheduled by event 99"},
		"nobody's activity": {func(s *scroll) {
			s.answered(s.scheduled("somebody-else"), answer("?"))
		}, `activity ID "somebody-else" names no task`},
		"an unknown task": {func(s *scroll) { s.scheduled(history.CallActivityID("two", 1, 1)) }, `the run has no task "two"`},
		"a task that runs already": {func(s *scroll) {
			s.scheduled(history.CallActivityID("one", 1, 1))
			s.scheduled(history.CallActivityID("one", 2, 1))
		}, "event 6 (ActivityTaskScheduled)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t, "one")
			s.done(s.taken())
			c.write(s)
			_, err := s.fold()
			require.ErrorContains(t, err, c.want)
			require.Regexp(t, `^event \d+ \(\w+\): `, err.Error())
		})
	}
}
