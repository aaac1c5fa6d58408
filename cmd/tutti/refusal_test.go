package main_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// T4: whatever is wrong is said in one line with its code, and nothing starts.
func TestWhatCannotBeIsRefusedBeforeTheStart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("bad.yaml", "name: bad\ntasks:\n  - {specialist: engineer, needs: [nobody]}\n")
	s.write(".tutti/chains/cycle.yaml", "name: cycle\ntasks:\n  - {id: a, specialist: engineer, needs: [b]}\n  - {id: b, specialist: engineer, needs: [a]}\n")
	s.write("typo.yaml", "modle: gpt-5\n")
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "backend", []string{"submit", "x", "--backend", "magic"}},
		{2, "nochain", []string{"submit", "x", "--chain", "nochain"}},
		{2, "nobody", []string{"submit", "x", "--chain", "engineer -> nobody"}},
		{2, "cycle", []string{"submit", "x", "--chain", "cycle"}},
		{2, "--nonsense", []string{"submit", "x", "--nonsense"}},
		{2, "nofile", []string{"submit", "x", "-f", "nofile"}},
		{2, "no model", []string{"submit", "x", "--chain", "engineer", "--backend", "provider"}},
		{2, "noprovider", []string{"submit", "x", "--chain", "engineer", "--backend", "provider", "--model", "m", "--provider", "noprovider"}},
		{2, "nobody", []string{"submit", "x", "--chain", "engineer", "--task-backend", "nobody=inline"}},
		{2, "command", []string{"frobnicate"}},
		{2, "run-0000000000000000", []string{"run", "show", "run-0000000000000000"}},
		{4, "modle", []string{"submit", "x", "--config", "typo.yaml"}},
		{4, "none.yaml", []string{"submit", "x", "--config", "none.yaml"}},
	} {
		require.Contains(t, s.refused(c.code, c.args...), c.says, "%v", c.args)
	}
	p, code := s.tutti("chain", "validate", "bad.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, p.Stderr(), `bad.yaml:3:36: task "engineer" needs "nobody"`)

	listed, err := s.temporal.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: s.namespace})
	require.NoError(t, err)
	require.Empty(t, listed.GetExecutions(), "nothing was started")
}

func TestWithoutAServerSubmitSaysWhereItLookedAndHowToStartOne(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env = []string{"TEMPORAL_ADDRESS=127.0.0.1:1", "TUTTI_DATA_DIR=" + s.data}
	line := s.refused(5, "submit", "x")
	require.Contains(t, line, "127.0.0.1:1")
	require.Contains(t, line, "tutti dev")
}

// C4: without a worker the run waits, and goes on when one comes.
func TestWithoutAWorkerTheRunWaitsForOne(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	started := time.Now()
	p, code := s.tutti("submit", "x", "--chain", "engineer", "--pickup", "1s")
	require.Equal(t, 5, code, p.Output())
	require.Less(t, time.Since(started), 30*time.Second)
	require.Empty(t, p.Stdout())
	line := s.oneLine(p)
	require.Contains(t, line, "no worker polls task queue tutti")
	require.Contains(t, line, "tutti worker")

	record := s.show("@last")
	require.Contains(t, line, record.RunID)
	require.Equal(t, run.Planned, record.Status)
	s.worker()
	require.Equal(t, run.CompletedPrepareOnly, s.finish(record.RunID).Status)
}

func TestWithoutAKeyTheRunFailsWithTheNextStep(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "x", "--chain", "architect -> engineer", "--backend", "provider", "--model", "anthropic/claude-sonnet-4.5")
	require.Equal(t, 4, code, p.Output())
	require.Contains(t, p.Stderr(), "PROVIDER_KEY_MISSING")
	require.Contains(t, p.Stderr(), "ANTHROPIC_API_KEY")
	require.Empty(t, p.Stdout())
	record := s.show("@last")
	require.Equal(t, run.CompletedWithFailures, record.Status)
	require.Equal(t, run.TaskSkipped, record.Tasks[1].Status)
}

func TestCtrlCLeavesTheRunAliveAndSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p := testenv.StartProcess(t, s.options("submit", "x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1"))
	s.called("hold-1", 1)
	require.Equal(t, 5, p.Stop(), p.Output())
	require.Contains(t, p.Stderr(), "tutti run watch")
	require.Contains(t, p.Stderr(), "tutti run cancel")
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.Equal(t, run.Completed, s.finish("@last").Status)
}
