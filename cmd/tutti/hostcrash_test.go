package main_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// H7: provider and host get the same prompt for the same task, byte by byte, also
// when the worker was killed and the specialist's file changed in between.
func TestProviderAndHostGetTheSamePrompt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const file = ".tutti/specialists/scribe.md"
	const persona = "---\nname: scribe\ndescription: d\nmodel: fake/echo\ntools: Read, Grep\n---\n"
	s.write(file, persona+"You write things down.\n")
	w := s.worker()
	args := []string{"write it down", "--chain", "scribe -> reviewer", "--model", "fake/echo"}
	provider := s.detach(append(args, "--backend", "provider")...)
	s.finish(provider)
	output := s.show(provider).Tasks[0].Output

	id := s.host(args...)
	before := s.next(id)
	require.Equal(t, []string{"Read", "Grep"}, before.Tools)
	require.Contains(t, before.System, "You write things down.")
	requireSamePrompt(t, s, provider, id, "scribe")

	w.Kill9()
	s.write(file, persona+"You are somebody else now.\n")
	s.worker()
	after := s.next(id)
	require.Equal(t, before.System+before.User+before.PromptSHA256, after.System+after.User+after.PromptSHA256)
	requireSamePrompt(t, s, provider, id, "scribe")

	// The run goes on as it was submitted; only a new one has the changed specialist.
	s.accepted(id, "scribe", output)
	require.Equal(t, run.AwaitingHost, s.show(id).Status)
	mixed := s.detach(append(args, "--backend", "provider", "--task-backend", "reviewer=host")...)
	s.tutti("run", "watch", mixed)
	require.NotEqual(t, s.show(provider).Tasks[0].Specialist.Version, s.show(mixed).Tasks[0].Specialist.Version)
	testenv.Seen(t, "prompt %.12s of provider and host, before and after kill -9 and the changed file", before.PromptSHA256)
}

func requireSamePrompt(t *testing.T, s *stage, a, b, task string) {
	t.Helper()
	require.Equal(t, s.must("run", "prompt", a, task), s.must("run", "prompt", b, task))
	digest := func(id string) string { record := s.show(id); return record.TaskByID(task).PromptSHA256 }
	require.NotEmpty(t, digest(a))
	require.Equal(t, digest(a), digest(b))
}

// The second task's prompt, whose upstream result comes from the provider in both runs.
func TestProviderAndHostGetTheSameLaterPrompt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	args := []string{"write it down", "--chain", "architect -> reviewer", "--model", "fake/echo", "--backend", "provider"}
	provider := s.detach(args...)
	require.Equal(t, run.Completed, s.finish(provider).Status)
	host := s.detach(append(args, "--task-backend", "reviewer=host")...)
	_, code := s.tutti("run", "watch", host)
	require.Equal(t, 3, code)
	require.Equal(t, s.show(provider).Tasks[0].Output, s.show(host).Tasks[0].Output)
	requireSamePrompt(t, s, provider, host, "reviewer")
	testenv.Seen(t, "prompt %.12s of the reviewer, after an earlier result, by provider and by host", s.show(host).Tasks[1].PromptSHA256)
}

// H11: a result handed in while no worker lives, by a client that is gone then.
func TestAResultHandedInWithoutAWorkerCountsOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	w.Kill9()
	r, code := s.submit(id, "architect", "the design")
	require.Equal(t, 5, code)
	require.True(t, r.Pending)
	require.Nil(t, r.Accepted)
	require.Equal(t, run.TaskAwaitingHost, s.show(id).Tasks[0].Status)
	require.Contains(t, s.refused(5, "host", "next", id), "no worker was there to hand it out")

	s.worker()
	p := s.next(id)
	require.Equal(t, "reviewer", p.TaskID)
	require.Contains(t, p.User, "the design")
	require.True(t, s.accepted(id, "architect", "the design").Duplicate)
	require.Equal(t, run.Completed, s.accepted(id, "reviewer", "fine").RunStatus)
	record := s.show(id)
	require.Equal(t, "the design", record.Tasks[0].Output)
	require.Empty(t, record.RejectedSignals)
	testenv.Seen(t, "exit %d, pending; when a worker was back the result counted once, the same again was a duplicate, the run is %s", code, record.Status)
}

// T6 for host states: a run is cancelled while a prompt waits, while it is
// claimed, and while a provider works beside it.
func TestCancelWhileAHostIsAwaited(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/parallel.yaml", parallel)
	s.worker()
	states := map[string]func() string{
		"awaited": func() string { return s.host("x", "--chain", "architect -> reviewer") },
		"claimed": func() string {
			id := s.host("x", "--chain", "architect -> reviewer")
			s.next(id)
			return id
		},
		"beside a call in flight": func() string {
			id := s.host("x", "--chain", "parallel", "--task-backend", "engineer=provider", "--model", "fake/hold-1")
			s.called("hold-1", 1)
			return id
		},
	}
	for name, prepare := range states {
		id := prepare()
		s.must("run", "cancel", id)
		record := s.finish(id)
		require.Equal(t, run.Cancelled, record.Status, name)
		for _, task := range record.Tasks {
			require.Equal(t, run.TaskCancelled, task.Status, "%s: %s", name, task.ID)
		}
		r, code := s.submit(id, "architect", "too late")
		require.Equal(t, 1, code, name)
		require.Equal(t, run.CodeRunAlreadyEnded, r.Code, name)
		require.Contains(t, s.refused(3, "host", "next", id), "is cancelled", name)
	}
	require.Equal(t, 1, s.calls("hold-1"), "the call was aborted, not repeated")
	testenv.Seen(t, "cancelled while %s: every task cancelled, later submits %s, the call in flight made once",
		strings.Join(slices.Sorted(maps.Keys(states)), ", "), run.CodeRunAlreadyEnded)
}
