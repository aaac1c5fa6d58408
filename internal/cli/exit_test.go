package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestEveryStatusHasItsExitCode(t *testing.T) {
	t.Parallel()
	want := map[run.Status]int{
		run.Planned: ExitPlatform, run.Running: ExitPlatform, run.AwaitingHost: ExitAwaitsHost,
		run.Completed: ExitOK, run.CompletedPrepareOnly: ExitOK, run.CompletedWithFailures: ExitNotCompleted,
		run.Degraded: ExitNotCompleted, run.Cancelled: ExitNotCompleted, run.Errored: ExitNotCompleted,
	}
	for _, status := range run.Statuses() {
		code, listed := want[status]
		require.True(t, listed, "status %s is new: decide its exit code", status)
		require.Equal(t, code, exitOf(&run.Record{Status: status}), "%s", status)
	}
}

func TestARunThatFailedForWantOfConfigurationExitsWithFour(t *testing.T) {
	t.Parallel()
	task := func(status run.TaskStatus, code run.Code) run.Task {
		t := run.Task{Status: status}
		if code != "" {
			t.Error = &run.Failure{Code: code}
		}
		return t
	}
	keyless := task(run.TaskFailed, run.CodeKeyMissing)
	unresolved := task(run.TaskFailed, run.CodeModelUnresolved)
	refused := task(run.TaskFailed, run.CodeAuth)
	done, skipped := task(run.TaskDone, ""), task(run.TaskSkipped, "")
	prepared, cancelled := task(run.TaskPrepared, ""), task(run.TaskCancelled, "")
	for name, c := range map[string]struct {
		status run.Status
		tasks  []run.Task
		want   int
	}{
		"one without a key":                 {run.CompletedWithFailures, []run.Task{keyless}, ExitConfiguration},
		"no model":                          {run.CompletedWithFailures, []run.Task{unresolved}, ExitConfiguration},
		"both, the rest skipped":            {run.CompletedWithFailures, []run.Task{keyless, unresolved, skipped}, ExitConfiguration},
		"the rest only prepared":            {run.CompletedWithFailures, []run.Task{prepared, keyless}, ExitConfiguration},
		"one done":                          {run.CompletedWithFailures, []run.Task{done, keyless}, ExitNotCompleted},
		"another failure":                   {run.CompletedWithFailures, []run.Task{keyless, refused}, ExitNotCompleted},
		"a failure without an error":        {run.CompletedWithFailures, []run.Task{keyless, task(run.TaskFailed, "")}, ExitNotCompleted},
		"nothing but skipped":               {run.CompletedWithFailures, []run.Task{skipped}, ExitNotCompleted},
		"cancelled, whatever happened then": {run.Cancelled, []run.Task{keyless, cancelled}, ExitNotCompleted},
		"an error of the run":               {run.Errored, []run.Task{keyless}, ExitNotCompleted},
		"still going":                       {run.Running, []run.Task{keyless}, ExitPlatform},
	} {
		require.Equal(t, c.want, exitOf(&run.Record{Status: c.status, Tasks: c.tasks}), name)
	}
}

// A migration goes one way only, so that it is no advice to an older binary.
func TestAStoreOfAnotherSchemaIsExplained(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"the file has version 9 and this binary knows 1: use the newer tutti":         "`tutti version` says which one this is",
		"the file has version 1 and this binary needs 9: run tutti migrate":           "run `tutti migrate`",
		"/x has format \"9\" and this binary knows 1: choose another folder or tutti": "see `tutti doctor`",
		"relation does not exist": "run `tutti migrate`",
	} {
		f := explain(fmt.Errorf("sqlite: %w: %s", store.ErrSchema, words))
		require.Equal(t, ExitConfiguration, f.code)
		require.Contains(t, f.next, want, words)
		if strings.Contains(words, "newer") {
			require.NotContains(t, f.Error(), "migrate")
		}
	}
}
