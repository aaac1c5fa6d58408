package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestAProviderChainPrintsOnlyItsFinalMessage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "build a thing", "--chain", "architect -> engineer -> reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Zero(t, code, p.Output())
	require.True(t, strings.HasPrefix(p.Stdout(), "ECHO dialect=openai"), p.Stdout())
	require.Equal(t, 1, strings.Count(p.Stdout(), "\n"), "only the final message is on standard output")
	require.Contains(t, p.Stderr(), "completed")
	require.Equal(t, 3, s.calls("echo"))

	record := s.show("@last")
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "provider:fake:echo", record.Tasks[2].Executor)
	require.Equal(t, strings.TrimSpace(p.Stdout()), record.FinalMessage)
	require.NotNil(t, record.Usage.InputTokens)
	require.Positive(t, *record.Usage.InputTokens)
	require.Contains(t, s.must("run", "list"), record.RunID[:10])
	require.Len(t, s.history(record.RunID), 5+6*3)
	testenv.Seen(t, "3 provider tasks with worker, store and projector: %d events = 5 + 6×3", len(s.history(record.RunID)))
}

func TestAnInlineRunSaysPlainlyThatNothingWasExecuted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "build a thing", "--chain", "architect -> engineer")
	require.Zero(t, code, p.Output())
	require.Contains(t, p.Stderr(), "Nothing was executed")
	require.Contains(t, p.Stderr(), "--backend provider")
	require.Contains(t, p.Stdout(), "build a thing", "the prepared prompts are the output")
	record := s.show("@last")
	require.Equal(t, run.CompletedPrepareOnly, record.Status)
	require.Equal(t, run.StatePrepared, record.ExecutionState)
	require.Contains(t, record.Semantics, "does not reason")
}

func TestFilesAndStandardInputFollowTheTextAsAttachments(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	s.write("notes.md", "the notes say 42")
	o := s.options("submit", "review this", "-", "-f", "notes.md", "--chain", "reviewer")
	o.Stdin = "diff --git a b"
	p, code := testenv.Run(t, patience, o)
	require.Zero(t, code, p.Output())
	for _, text := range []string{"review this", "the notes say 42", "diff --git a b", "notes.md"} {
		require.Contains(t, p.Stdout(), text)
	}
	record := s.show("@last")
	require.Len(t, record.Request.Attachments, 2)
	require.Equal(t, "notes.md", record.Request.Attachments[0].Name)
}

// T5: a request of 1 MiB is taken whole; NULs, invalid UTF-8 and blanks are refused.
func TestOddRequestsAreTakenWholeOrRefusedClearly(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	large := strings.Repeat("é0123456789abcd\n", 1<<16)
	s.write("large.txt", large)
	p, code := s.tutti("submit", "-f", "large.txt", "--chain", "reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Zero(t, code, p.Output())
	record := s.show("@last")
	require.Equal(t, len(large), record.Request.TextSize)
	require.Contains(t, s.must("run", "prompt", "@last"), large)

	s.write("nul", "a\x00b")
	s.write("latin", "caf\xe9")
	s.write("blank", " \n\t ")
	refusals := 0
	refused := func(why, stdin string, args ...string) {
		o := s.options(append([]string{"submit"}, args...)...)
		o.Stdin = stdin
		p, code := testenv.Run(t, patience, o)
		require.Equal(t, 2, code, p.Output())
		require.Empty(t, p.Stdout())
		require.Contains(t, s.oneLine(p), why)
		refusals++
	}
	for _, door := range []struct {
		stdin string
		args  []string
	}{{"a\x00b", []string{"-"}}, {"", []string{"-f", "nul"}}, {"a\x00b", []string{"words", "-"}}} {
		refused("NUL", door.stdin, door.args...)
	}
	refused("UTF-8", "", "-f", "latin")
	refused("UTF-8", "caf\xe9", "-")
	refused("UTF-8", "", "caf\xe9")
	refused("empty", "", "-f", "blank")
	refused("empty", " \n", "-")
	refused("empty", "", "   ")
	refused("empty", "")
	require.Len(t, strings.Fields(s.must("run", "list", "-o", "name")), 1, "nothing else was started")
	testenv.Seen(t, "%d bytes taken whole, to the prompt; %d requests of NULs, invalid UTF-8 or spaces refused with exit 2 by argument, file and stdin", record.Request.TextSize, refusals)
}

// C13: one key is one run, whoever submits and however often; another request
// under it starts nothing.
func TestTenSubmitsWithOneKeyAreOneRun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var processes []*testenv.Process
	for range 10 {
		processes = append(processes, testenv.StartProcess(t, s.options("submit", "the same", "--chain", "reviewer", "--detach", "--idempotency-key", "k1")))
	}
	ids := map[string]bool{}
	for _, p := range processes {
		require.Zero(t, p.Wait(patience), p.Output())
		ids[p.Stdout()] = true
	}
	require.Len(t, ids, 1)
	require.Contains(t, s.refused(2, "submit", "another", "--chain", "reviewer", "--detach", "--idempotency-key", "k1"), "idempotency")
	require.Len(t, strings.Fields(s.must("run", "list", "-o", "name")), 1)
	testenv.Seen(t, "%d submits at once: %d run; another request under the key: exit 2, nothing started", len(processes), len(ids))
}
