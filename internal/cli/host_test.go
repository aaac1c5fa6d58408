package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func (s *stage) awaits(runID, taskID string) string {
	s.t.Helper()
	s.until(runID, taskID+" awaits", func(r *run.Record) bool {
		t := r.TaskByID(taskID)
		return t != nil && t.Status == run.TaskAwaitingHost
	})
	return runID
}

// H6: half an hour without progress is stale in the list, for a reader and for
// doctor, by the clock of whoever looks; the run is untouched.
func TestARunThatWaitsForLongIsStaleForReadersAndUntouched(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.awaits(s.start(planOf(run.BackendHost, "architect", "reviewer")), "architect")
	s.mirror(id)
	at := func(later time.Duration) {
		s.now = func() time.Time { return time.Now().UTC().Add(later) }
	}
	at(29 * time.Minute)
	require.False(t, decoded[listedPage](s, "run", "list", "--json").Runs[0].Stale)
	require.False(t, decoded[shown](s, "run", "show", id, "--json").Stale)

	at(31 * time.Minute)
	require.True(t, decoded[listedPage](s, "run", "list", "--json").Runs[0].Stale)
	require.Contains(t, s.ok("run", "list"), "awaiting-host (stale)")
	require.True(t, decoded[shown](s, "run", "show", id, "--json").Stale)
	require.Contains(t, s.ok("run", "show", id), "awaiting-host · stale")
	got := s.tutti("run", "watch", id)
	require.Equal(t, ExitAwaitsHost, got.code)
	require.Contains(t, got.errors, "`tutti host next "+id+"`")
	report := s.tutti("doctor", "--json")
	require.Zero(t, report.code, "advice changes no exit code: %s", report.errors)
	require.Contains(t, report.out, id+" has waited for a host for 31m0s")

	folded, err := s.runs.Get(t.Context(), "default", id)
	require.NoError(t, err)
	require.Equal(t, run.AwaitingHost, folded.Record.Status)
	require.Contains(t, s.ok("host", "next", id), "do architect", "it can still be picked up")
	testenv.Seen(t, "not stale after 29 minutes; after 31 stale in list, show, watch and doctor; the run is %s", folded.Record.Status)
}

func TestTheTokenOfAClaimIsTheUsersAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.awaits(s.start(planOf(run.BackendHost, "architect")), "architect")
	s.ok("host", "next", id)
	files, err := os.ReadDir(filepath.Join(s.dataDir(), "claims"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, err := files[0].Info()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	other := s.with("TUTTI_HOST_SESSION", "other")
	require.NoError(t, os.WriteFile(filepath.Join(s.home, "result"), []byte("by the other"), 0o600))
	require.Contains(t, other.refused(ExitNotCompleted, "host", "submit", id, "architect", "-f", "result"), "HOST_CLAIM_LOST: ")
	require.Contains(t, s.ok("host", "submit", id, "architect", "-f", "result"), "accepted; run "+id+" is completed")
	require.Equal(t, "by the other\n", s.ok("run", "output", id))
}

func TestATenantCannotHandInForAnother(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.awaits(s.start(planOf(run.BackendHost, "architect")), "architect")
	require.NoError(t, os.WriteFile(filepath.Join(s.home, "result"), []byte("x"), 0o600))
	for _, args := range [][]string{
		{"host", "next", id}, {"host", "submit", id, "architect", "-f", "result"}, {"host", "fail", id, "architect", "--reason", "x"},
	} {
		require.Contains(t, s.refused(ExitUsage, append([]string{"--tenant", "other"}, args...)...), `tenant other has no run "`+id+`"`)
	}
	require.Contains(t, s.refused(ExitAwaitsHost, "--tenant", "other", "host", "next"), "no run of yours awaits a host")
	bob := s.with("TUTTI_PRINCIPAL", "bob")
	require.Contains(t, bob.refused(ExitAwaitsHost, "host", "next"), "no run of yours awaits a host")
}

func TestHostCommandsAreRefusedWithTheNextStep(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(planOf(run.BackendHost, "architect"))
	for want, args := range map[string][]string{
		"--lease 0s is out of range; use 1s to 24h0m0s": {"host", "next", id, "--lease", "0s"},
		`unexpected argument "b"; see`:                  {"host", "next", "a", "b"},
		"the run's ID is missing":                       {"host", "submit"},
		"the result is missing; name a file with -f":    {"host", "submit", id, "architect"},
		"file nothing.txt does not exist":               {"host", "submit", id, "architect", "-f", "nothing.txt"},
		"the reason is missing; say why with --reason":  {"host", "fail", id, "architect", "--reason", " "},
		`unknown command or argument "nonsense"`:        {"host", "nonsense"},
	} {
		require.Contains(t, s.refused(ExitUsage, args...), want, "%v", args)
	}
}

func TestAClaimIsTold(t *testing.T) {
	t.Parallel()
	expires := noon()
	claimed := run.Task{Status: run.TaskAwaitingHost, Host: &run.Host{ClaimedBy: "ada/cli", ClaimExpires: &expires}}
	require.Equal(t, "claimed by ada/cli until "+moment(&expires, time.UTC), claimWords(&claimed, noon().Add(-time.Second), time.UTC))
	require.Equal(t, "claim of ada/cli expired", claimWords(&claimed, noon(), time.UTC))
	done := claimed
	done.Status = run.TaskDone
	require.Empty(t, claimWords(&done, noon(), time.UTC))
	require.Empty(t, claimWords(&run.Task{Status: run.TaskAwaitingHost}, noon(), time.UTC))
}
