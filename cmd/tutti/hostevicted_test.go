package main_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// H7: the worker has one place in its cache, and other runs take it while this one's
// first task is being executed and again while its prompt waits. Each time the run is
// made anew from its history; its prompt is the provider's, byte by byte, and the
// workflow's record is the fold.
func TestARunThatWasEvictedGetsTheSamePrompt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.workerThatForgets()
	args := []string{"write it down", "--chain", "architect -> reviewer", "--model", "fake/hold-1", "--backend", "provider"}
	provider := s.detach(args...)
	host := s.detach(append(args, "--task-backend", "reviewer=host")...)
	s.called("hold-1", 2)
	s.takeThePlace()
	require.NoError(t, s.fake.Release(t.Context(), "hold-1"))
	require.Equal(t, run.Completed, s.finish(provider).Status)
	s.awaits(host, 1)
	require.Equal(t, s.show(provider).Tasks[0].Output, s.show(host).Tasks[0].Output)
	requireSamePrompt(t, s, provider, host, "reviewer")
	before := s.next(host)

	s.takeThePlace()
	s.requireAgreement(host)
	after := s.next(host)
	require.Equal(t, before.System+"\x00"+before.User, after.System+"\x00"+after.User)
	require.Equal(t, before.ClaimToken, after.ClaimToken, "the claim is remembered too")
	s.takeThePlace()
	require.Equal(t, run.Completed, s.accepted(host, "reviewer", "fine").RunStatus)
	s.requireAgreement(host)
	record := s.show(host)
	require.Equal(t, run.Completed, record.Status)
	testenv.Seen(t, "one place in the cache, taken three times; prompt %.12s of provider and host; %s", record.Tasks[1].PromptSHA256, record.Status)
}

// workerThatForgets is a worker with one place in its sticky cache.
func (s *stage) workerThatForgets() {
	s.t.Helper()
	o := s.options("worker")
	path, err := os.Executable()
	require.NoError(s.t, err)
	o.Path, o.Env = path, append(append([]string{}, o.Env...), cachedRuns+"=1")
	testenv.StartProcess(s.t, o).WaitForLine(regexp.MustCompile(`polls task queue`), patience)
}

// takeThePlace has two other runs come to wait for a host, one after the other: the
// later takes the place of the earlier, and the earlier that of all before.
func (s *stage) takeThePlace() {
	s.t.Helper()
	for range 2 {
		s.awaits(s.detach("another", "--chain", "architect", "--backend", "host"), 1)
	}
}

// requireAgreement proves that the workflow's own record is the fold of its history,
// apart from times.
func (s *stage) requireAgreement(runID string) {
	s.t.Helper()
	value, err := s.temporal.QueryWorkflow(s.t.Context(), runID, "", history.QueryRecord)
	require.NoError(s.t, err)
	var own run.Record
	require.NoError(s.t, value.Get(&own))
	folded := s.show(runID)
	require.JSONEq(s.t, timeless(s.t, own), timeless(s.t, folded))
}

// timeless is what a workflow's record holds: no times, and nothing that is derived
// when somebody reads.
func timeless(t testing.TB, r run.Record) string {
	t.Helper()
	r = r.Bounded()
	r.CreatedAt, r.StartedAt, r.UpdatedAt, r.FinishedAt, r.LastEventID, r.FinalMessage = nil, nil, nil, nil, 0, ""
	for i := range r.Tasks {
		task := &r.Tasks[i]
		task.StartedAt, task.FinishedAt, task.HostPrompt = nil, nil, nil
		if task.Host != nil {
			host := *task.Host
			host.AwaitingSince = nil
			task.Host = &host
		}
	}
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	return string(raw)
}
