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
	s.write("odd.yaml", "store: mongodb\n")
	cases := []struct {
		code       int
		says, next string
		args       []string
	}{
		{2, `unknown backend "magic"`, "use inline, provider or host", []string{"submit", "x", "--backend", "magic"}},
		{2, `unknown backend "magic"`, "use inline, provider or host", []string{"submit", "x", "--chain", "engineer", "--task-backend", "engineer=magic"}},
		{2, `unknown chain "nochain"`, "known: bugfix, ", []string{"submit", "x", "--chain", "nochain"}},
		{2, `unknown specialist "nobody"`, "known: architect, ", []string{"submit", "x", "--chain", "engineer -> nobody"}},
		{2, `chain "cycle" cannot be used`, "remove one of these needs", []string{"submit", "x", "--chain", "cycle"}},
		{2, "unknown flag: --nonsense", "see `tutti submit --help`", []string{"submit", "x", "--nonsense"}},
		{2, "file nofile does not exist", "name a text file with -f", []string{"submit", "x", "-f", "nofile"}},
		{2, "no model is chosen", "name one with --model", []string{"submit", "x", "--chain", "engineer", "--backend", "provider"}},
		{2, `unknown provider "noprovider"`, "choose one of anthropic, ", []string{"submit", "x", "--chain", "engineer", "--backend", "provider", "--model", "m", "--provider", "noprovider"}},
		{2, `no task "nobody"`, "its tasks are engineer", []string{"submit", "x", "--chain", "engineer", "--task-backend", "nobody=inline"}},
		{2, `"frobnicate"`, "see `tutti --help`", []string{"frobnicate"}},
		{2, `no run "run-0000000000000000"`, "see `tutti run list`", []string{"run", "show", "run-0000000000000000"}},
		{4, `typo.yaml:1:1: unknown key "modle"`, `did you mean "mode" or "model"?`, []string{"submit", "x", "--config", "typo.yaml"}},
		{4, `odd.yaml:1:8: store cannot be "mongodb"`, "use one of: postgres, sqlite, filesystem", []string{"submit", "x", "--config", "odd.yaml"}},
		{4, `there is no file "none.yaml"`, "correct the path or leave it out", []string{"submit", "x", "--config", "none.yaml"}},
	}
	exits := map[int]int{}
	for _, c := range cases {
		said := s.refused(c.code, c.args...)
		require.Contains(t, said, c.says, "%v", c.args)
		require.Contains(t, said, c.next, "%v: the next step", c.args)
		exits[c.code]++
	}
	p, code := s.tutti("chain", "validate", "bad.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, p.Stderr(), `bad.yaml:3:36: task "engineer" needs "nobody"`)

	listed, err := s.temporal.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: s.namespace})
	require.NoError(t, err)
	require.Empty(t, listed.GetExecutions(), "nothing was started")
	testenv.Seen(t, "%d refusals with exit 2 and %d with exit 4, each in one line with the next step; %d runs started", exits[2], exits[4], len(listed.GetExecutions()))
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
	testenv.Seen(t, "exit %d, nothing on stdout, on stderr the run's ID and the queue; with a worker the run is %s", code, s.show(record.RunID).Status)
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
