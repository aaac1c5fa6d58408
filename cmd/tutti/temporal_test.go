package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// The official CLI is the operator's tool: it lists, shows, describes and ends
// our runs, and they read well there.
func TestTheTemporalCLIReadsAndEndsRuns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Equal(t, run.Completed, s.finish(id).Status)
	require.Contains(t, s.cli("workflow", "list", "--query", "TuttiChain = 'engineer -> reviewer' AND TuttiBackend = 'provider' AND TuttiTenant = 'default'"), id)
	shown := s.cli("workflow", "show", "--workflow-id", id)
	require.Contains(t, shown, "ActivityTaskCompleted")
	require.Contains(t, shown, `"status":"completed"`)
	described := s.cli("workflow", "describe", "--workflow-id", id)
	require.Contains(t, described, "tutti.Run")
	require.Contains(t, s.cli("workflow", "query", "--workflow-id", id, "--type", "record"), `"executor":"provider:fake:echo"`)

	id = s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	s.cli("workflow", "cancel", "--workflow-id", id)
	record := s.finish(id)
	require.Equal(t, run.Cancelled, record.Status)
	require.Equal(t, run.TaskCancelled, record.Tasks[0].Status)
	require.Contains(t, s.cli("workflow", "describe", "--workflow-id", id), "CANCELED")

	id = s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/hold-2")
	s.called("hold-2", 1)
	s.cli("workflow", "terminate", "--workflow-id", id, "--reason", "enough is enough")
	record = s.finish(id)
	require.Equal(t, run.Errored, record.Status)
	require.Equal(t, run.CodeRunTerminated, record.Error.Code)
	require.Contains(t, record.Error.Message, "enough is enough")
}

func TestARunCanBeStartedWithTheTemporalCLIAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	const id = "run-00000000000000aa"
	s.cli("workflow", "start", "--type", "tutti.Run", "--task-queue", "tutti", "--workflow-id", id,
		"--input", `{"request": "say something", "chain": "architect -> reviewer", "backend": "provider", "model": "fake/echo"}`)
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "default", record.TenantID)
	require.Equal(t, "say something", record.Request.Summary)

	const refused = "run-00000000000000bb"
	s.cli("workflow", "start", "--type", "tutti.Run", "--task-queue", "tutti", "--workflow-id", refused,
		"--input", `{"request": "x", "chain": "no-such-chain"}`)
	record = s.finish(refused)
	require.Equal(t, run.Errored, record.Status)
	require.Equal(t, run.CodeRunInputInvalid, record.Error.Code)
	require.Contains(t, record.Error.Message, "no-such-chain")
}

// T6: as far as there are states without a host.
func TestCancelInEachState(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	planned := s.detach("x", "--chain", "engineer")
	s.must("run", "cancel", planned)
	s.worker()
	require.Equal(t, run.Cancelled, s.finish(planned).Status)

	running := s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	s.must("run", "cancel", running)
	record := s.finish(running)
	require.Equal(t, run.Cancelled, record.Status)
	require.Equal(t, 1, s.calls("hold-1"), "the call was aborted, not repeated")

	ended := s.detach("x", "--chain", "engineer")
	require.Equal(t, run.CompletedPrepareOnly, s.finish(ended).Status)
	s.must("run", "cancel", ended)
	require.Equal(t, run.CompletedPrepareOnly, s.show(ended).Status)
	testenv.Seen(t, "cancelled while planned: %s; while running: %s, with %d call made; after the end: it stays %s",
		s.show(planned).Status, record.Status, s.calls("hold-1"), s.show(ended).Status)
}

// V1: equal files give equal versions in two processes; one changed byte, tool,
// model or limit gives another; both runs stay readable.
func TestVersionsFollowTheContentOfASpecialist(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	elsewhere := *s // another user's process, directory and data
	elsewhere.work, elsewhere.data = t.TempDir(), t.TempDir()
	elsewhere.env = append(append([]string{}, s.env...), "TUTTI_DATA_DIR="+elsewhere.data)
	type kept struct{ id, version, prompt string }
	var all []kept
	by := func(s *stage, file string) string {
		s.write(".tutti/specialists/me.md", file)
		id := s.detach("x", "--chain", "me")
		version := s.finish(id).Tasks[0].Specialist.Version
		_, prompt, _ := strings.Cut(file, "\n---\n")
		all = append(all, kept{id, version, strings.TrimSpace(prompt)})
		return version
	}
	version := func(file string) string { return by(s, file) }
	base := "---\nname: me\ndescription: d\nmodel: m\ntools: Read\nmaxTokens: 10\n---\nBe me.\n"
	first := version(base)
	require.Equal(t, first, by(&elsewhere, base), "in another process, from another directory")
	require.Equal(t, first, version("---\nname: me\ndescription: other words\nmodel: m\ntools: Read\nmaxTokens: 10\n---\nBe me.\n"))
	seen := map[string]bool{first: true}
	for _, changed := range []string{
		"---\nname: me\ndescription: d\nmodel: m\ntools: Read\nmaxTokens: 10\n---\nBe me!\n",
		"---\nname: me\ndescription: d\nmodel: m2\ntools: Read\nmaxTokens: 10\n---\nBe me.\n",
		"---\nname: me\ndescription: d\nmodel: m\ntools: Read, Grep\nmaxTokens: 10\n---\nBe me.\n",
		"---\nname: me\ndescription: d\nmodel: m\ntools: Read\nmaxTokens: 11\n---\nBe me.\n",
	} {
		v := version(changed)
		require.False(t, seen[v], "%s is the version of other content too", v)
		seen[v] = true
	}
	for _, k := range all {
		require.Equal(t, k.version, s.show(k.id).Tasks[0].Specialist.Version)
		require.Contains(t, s.must("run", "prompt", k.id), k.prompt, "a run keeps what it was submitted with")
	}
	testenv.Seen(t, "equal files: %s in two processes; a changed byte, model, tool or limit: %d versions in all; %d runs of them are readable", first, len(seen), len(all))
}
