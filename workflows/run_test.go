package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// B1: N provider tasks in sequence are 1 + N actions and 5 + 6N events.
func TestAChainOfProviderTasksCompletesAtTheDocumentedCost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	for _, ids := range [][]string{{"one"}, {"one", "two", "three"}, {"a", "b", "c", "d", "e", "f"}} {
		id := s.start(listPlan(run.BackendProvider, ids...))
		record := s.finished(id)
		require.Equal(t, run.Completed, record.Status, statuses(record))
		require.Equal(t, run.StateExecuted, record.ExecutionState)
		require.Equal(t, "answer of "+ids[len(ids)-1], record.ComposeFinalMessage())
		require.Equal(t, int64(10*len(ids)), *record.Usage.InputTokens)

		events := s.history(id)
		n := len(ids)
		require.Len(t, events, 5+6*n, "5 + 6N events")
		counts := kinds(events)
		actions := counts["WorkflowExecutionStarted"] + counts["ActivityTaskScheduled"]
		require.Equal(t, 1+n, actions, "1 + N billed actions")
		require.Zero(t, counts["TimerStarted"]+counts["MarkerRecorded"]+counts["UpsertWorkflowSearchAttributes"])
		s.requireAgreement(id)
		testenv.Seen(t, "%d provider tasks: %d events, %d actions", n, len(events), actions)
	}
}

func TestAFailedTaskSkipsWhatNeedsItUnlessTheChainSaysContinue(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.fail("two", run.CodeAuth)
	s.work()

	id := s.start(listPlan(run.BackendProvider, "one", "two", "three"))
	record := s.finished(id)
	require.Equal(t, run.CompletedWithFailures, record.Status)
	require.Equal(t, "one=done two=failed three=skipped ", statuses(record))
	require.Equal(t, run.SkipUpstreamFailed, record.Tasks[2].SkipReason)
	s.requireAgreement(id)

	plan := listPlan(run.BackendProvider, "one", "two", "three")
	plan.Tasks[2].Continue = true
	id = s.start(plan)
	record = s.finished(id)
	require.Equal(t, run.CompletedWithFailures, record.Status)
	require.Equal(t, "one=done two=failed three=done ", statuses(record))
	up := s.script.inputs["three"].Upstream
	require.Len(t, up, 2)
	require.Equal(t, run.TaskFailed, up[1].Status)
	require.Equal(t, string(run.CodeAuth), up[1].Why)
	require.Empty(t, up[1].Output)
	s.requireAgreement(id)
}

func TestTheCloseStatusInTemporalSaysTheSame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.fail("bad", run.CodeAuth)
	s.work()

	var result history.RunResult
	id := s.start(listPlan(run.BackendInline, "one"))
	require.NoError(t, s.client.GetWorkflow(t.Context(), id, "").Get(t.Context(), &result))
	require.Equal(t, run.CompletedPrepareOnly, result.Status)
	require.Equal(t, run.StatePrepared, result.ExecutionState)
	require.Contains(t, result.FinalMessage, "Nothing was executed")
	s.requireAgreement(id)

	id = s.start(listPlan(run.BackendProvider, "one", "bad"))
	err := s.client.GetWorkflow(t.Context(), id, "").Get(t.Context(), &result)
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.Equal(t, string(run.CompletedWithFailures), app.Type())
	require.Equal(t, "1 of 2 tasks done; bad: PROVIDER_AUTH_ERROR", app.Message())
	require.True(t, app.NonRetryable())
	require.NoError(t, app.Details(&result))
	require.Equal(t, run.CompletedWithFailures, result.Status)
}

func TestARunStartedByHandResolvesItsPlanFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	start := func(chain string) string {
		started, err := s.runs.Start(t.Context(), runs.Start{Input: history.RunInput{
			Request: content.Of("please"), Chain: chain,
		}})
		require.NoError(t, err)
		return started.RunID
	}

	id := start("engineer")
	record := s.finished(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "default", record.TenantID)
	s.requireAgreement(id)

	id = start("nonsense")
	record = s.finished(id)
	require.Equal(t, run.Errored, record.Status)
	require.Equal(t, run.CodeRunInputInvalid, record.Error.Code)
	require.Equal(t, "no such chain", record.Error.Message)
	s.requireAgreement(id)
}
