package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFinalizeTakesTheFirstRuleThatHolds(t *testing.T) {
	t.Parallel()
	done := Task{Status: TaskDone, ExecutionState: StateExecuted}
	prepared := Task{Status: TaskPrepared, ExecutionState: StatePrepared}
	failed := Task{Status: TaskFailed, ExecutionState: StateFailed}
	skipped := Task{Status: TaskSkipped, SkipReason: SkipUpstreamFailed}
	fellBack := Task{Status: TaskDone, Degradations: []Degradation{{Reason: DegradedSameFamilyFallback}}}
	for _, c := range []struct {
		name    string
		record  Record
		status  Status
		reasons []string
	}{
		{"nothing planned", Record{}, Degraded, []string{DegradedNoTasksPlanned}},
		{"all done", Record{Tasks: []Task{done, done}}, Completed, nil},
		{"all prepared", Record{Tasks: []Task{prepared, prepared}}, CompletedPrepareOnly, nil},
		{"some prepared", Record{Tasks: []Task{prepared, done}}, Degraded, []string{DegradedPartlyPrepared}},
		{"a fallback", Record{Tasks: []Task{done, fellBack}}, Degraded, []string{DegradedSameFamilyFallback}},
		{"a failure", Record{Tasks: []Task{done, failed}}, CompletedWithFailures, nil},
		{"a skip", Record{Tasks: []Task{done, skipped}}, CompletedWithFailures, nil},
		{"a failure beside a fallback keeps the reason", Record{Tasks: []Task{failed, fellBack}}, CompletedWithFailures, []string{DegradedSameFamilyFallback}},
		{"reasons are said once", Record{Tasks: []Task{fellBack, fellBack, prepared}}, Degraded, []string{DegradedPartlyPrepared, DegradedSameFamilyFallback}},
		{"cancelled wins over failures", Record{CancelRequested: true, Tasks: []Task{failed}}, Cancelled, nil},
		{"cancelled wins over all done", Record{CancelRequested: true, Tasks: []Task{done}}, Cancelled, nil},
		{"an error wins over all", Record{CancelRequested: true, Error: &RunError{Code: CodeRunTerminated}, Tasks: []Task{failed}}, Errored, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			status, reasons := Finalize(&c.record)
			require.Equal(t, c.status, status)
			require.Equal(t, c.reasons, reasons)
			require.True(t, status.IsTerminal())
		})
	}
}

func TestARunsExecutionStateIsTheFirstPresent(t *testing.T) {
	t.Parallel()
	record := Record{}
	require.Empty(t, record.foldExecutionState())
	states := ExecutionStates()
	for i := len(states) - 1; i >= 0; i-- {
		record.Tasks = append(record.Tasks, Task{ExecutionState: states[i]})
		require.Equal(t, states[i], record.foldExecutionState())
	}
}

func TestClosingARunClosesItsOpenTasks(t *testing.T) {
	t.Parallel()
	for _, status := range TaskStatuses() {
		record := Record{Status: Running, Tasks: []Task{{ID: "a", Status: status, ExecutionState: StateAwaitingHost}}}
		ended := Ended{Error: RunError{Code: CodeRunTerminated, Message: "by hand"}}
		require.NoError(t, record.Apply(ended, noTime))
		require.Equal(t, Errored, record.Status)
		require.True(t, record.Tasks[0].Status.IsTerminal())
		if !status.IsTerminal() {
			require.Equal(t, TaskCancelled, record.Tasks[0].Status)
			require.Empty(t, record.Tasks[0].ExecutionState)
		}
	}
}
