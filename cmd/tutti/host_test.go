package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestAHostRunSaysWhatToDoAndItsPromptsHoldEarlierResults(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "build a thing", "--chain", "architect -> reviewer", "--backend", "host")
	require.Equal(t, 3, code, p.Output())
	require.Empty(t, p.Stdout())
	id := s.show("@last").RunID
	require.Contains(t, p.Stderr(), "run "+id+": a prompt waits for a host; take one with `tutti host next "+id+"`")

	text := s.must("host", "next", id)
	require.Contains(t, text, "build a thing")
	require.True(t, strings.HasSuffix(text, "\n===== submit the result =====\ntutti host submit "+id+" architect -f -\n"), text)
	require.Contains(t, s.must("run", "show", id), "claimed by ")
	require.Contains(t, s.must("run", "list"), "0/2, 1 for a host")
	require.Equal(t, s.show(id).Tasks[0].HostPrompt.User, s.next(id).User)

	r := s.accepted(id, "architect", "THE DESIGN")
	require.Equal(t, run.AwaitingHost, r.RunStatus)
	require.Equal(t, "reviewer", r.NextTask.TaskID)
	require.Contains(t, r.NextTask.User, "THE DESIGN")
	require.Contains(t, r.NextTask.User, "host:cli")
	require.Contains(t, s.must("run", "prompt", id, "reviewer"), r.NextTask.User)
	r = s.accepted(id, "reviewer", "looks good")
	require.Equal(t, run.Completed, r.RunStatus)
	require.Nil(t, r.NextTask)

	record := s.show(id)
	require.Equal(t, "host:cli", record.Tasks[1].Executor)
	require.Equal(t, "cli", record.HostRole)
	require.Contains(t, record.Semantics, "host-reported")
	require.Equal(t, "looks good\n", s.must("run", "output", id))
	require.Contains(t, s.refused(3, "host", "next", id), "has no prompt to pick up")
	require.Contains(t, s.refused(3, "host", "next"), "no run of yours awaits a host")
	left, err := os.ReadDir(filepath.Join(s.data, "claims"))
	require.NoError(t, err)
	require.Empty(t, left, "a token that is of no use any more does not stay")
}

func TestARunMixesBackends(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	p, code := s.tutti("submit", "x", "--chain", "architect -> engineer -> reviewer", "--backend", "host", "--model", "fake/echo",
		"--task-backend", "architect=provider", "--task-backend", "reviewer=inline")
	require.Equal(t, 3, code, p.Output())
	id := s.show("@last").RunID
	require.Contains(t, s.next().User, "ECHO dialect=openai", "the host sees what the provider said")
	require.Equal(t, run.Degraded, s.accepted(id, "engineer", "code").RunStatus)
	record := s.show(id)
	require.Equal(t, "mixed", record.WorkerBackend)
	require.Equal(t, []string{"provider:fake:echo", "host:cli", "inline:prepared"},
		[]string{record.Tasks[0].Executor, record.Tasks[1].Executor, record.Tasks[2].Executor})
}

// H1: ten hosts race for one task with ten results; then all of them send the same.
func TestOfTenHostsOneIsAccepted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	replies := make([]reply, 10)
	together(10, func(i int) { replies[i], _ = s.submit(id, "architect", fmt.Sprint("result ", i)) })
	winner := -1
	for i, r := range replies {
		if *r.Accepted {
			require.Negative(t, winner, "two were accepted")
			winner = i
			require.False(t, r.Duplicate)
			continue
		}
		require.Equal(t, run.CodeHostRecorded, r.Code)
	}
	require.GreaterOrEqual(t, winner, 0)
	require.Equal(t, fmt.Sprint("result ", winner), s.show(id).Tasks[0].Output)

	r := s.accepted(id, "architect", fmt.Sprint("result ", winner))
	require.True(t, r.Duplicate)
	s.accepted(id, "reviewer", "fine")
	r = s.accepted(id, "architect", fmt.Sprint("result ", winner))
	require.True(t, r.Duplicate, "also after the run has closed")
	require.Equal(t, run.Completed, r.RunStatus)
	r, code := s.submit(id, "architect", "another")
	require.Equal(t, 1, code)
	require.Equal(t, run.CodeRunAlreadyEnded, r.Code)
	testenv.Seen(t, "of %d results 1 was accepted and %d told %s; the same again is a duplicate, also after the close", len(replies), len(replies)-1, run.CodeHostRecorded)
}

// H3: claim, takeover, and a late result with the old token.
func TestATakenOverClaimLoses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	one, two := s.session("one"), s.session("two")
	id := s.host("x", "--chain", "architect -> reviewer")
	first := one.next(id)
	require.Equal(t, first.ClaimToken, one.next(id).ClaimToken, "the same session renews")
	require.Contains(t, two.refused(3, "host", "next", id), "is in the hands of")
	second := two.next(id, "--takeover")
	require.Greater(t, second.ClaimToken, first.ClaimToken)
	r, code := one.submit(id, "architect", "late")
	require.Equal(t, 1, code)
	require.Equal(t, run.CodeHostClaimLost, r.Code)
	r, code = one.submit(id, "architect", "late", "--token", fmt.Sprint(first.ClaimToken))
	require.Equal(t, 1, code)
	require.Equal(t, run.CodeHostClaimLost, r.Code)
	two.accepted(id, "architect", "in time")

	expired := one.next(id, "--lease", "1s")
	require.Equal(t, "reviewer", expired.TaskID)
	testenv.Eventually(t, patience, "the claim expires", func() error {
		if s.must("run", "show", id); !strings.Contains(s.must("run", "show", id), "expired") {
			return fmt.Errorf("it lives")
		}
		return nil
	})
	require.Equal(t, run.Completed, one.accepted(id, "reviewer", "late and alone").RunStatus, "nobody else claimed it")
	testenv.Seen(t, "after the takeover token %d is refused with %s and token %d counts; an expired claim alone loses nothing", first.ClaimToken, r.Code, second.ClaimToken)
}

// H5: the host dies with a claim; a process of another data directory finds the
// run and finishes it.
func TestAnotherProcessFinishesADeadHostsRun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	s.session("dead").next(id)
	other := s.session("alive")
	other.data = t.TempDir()
	other.env = append(other.env, "TUTTI_DATA_DIR="+other.data)
	require.Contains(t, other.refused(3, "host", "next"), "--takeover", "it has no mirror and finds the run in Temporal")
	for _, task := range []string{"architect", "reviewer"} {
		p := other.next("--takeover")
		require.Equal(t, id, p.RunID)
		require.Equal(t, task, p.TaskID)
		other.accepted(id, task, "by the other")
	}
	require.Equal(t, run.Completed, s.show(id).Status)
	testenv.Seen(t, "a process with another data directory found the run and handed in %d tasks; the run is %s", len(s.show(id).Tasks), s.show(id).Status)
}

func TestAHostReportsAFailure(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	require.Contains(t, s.refused(2, "host", "fail", id, "architect"), "--reason")
	s.must("host", "fail", id, "architect", "--reason", "no idea")
	record := s.show(id)
	require.Equal(t, run.CompletedWithFailures, record.Status)
	require.Equal(t, run.CodeHostFailure, record.Tasks[0].Error.Code)
	require.Equal(t, "no idea", record.Tasks[0].Error.Message)
	require.Equal(t, "host:cli", record.Tasks[0].Executor)
	require.Equal(t, run.TaskSkipped, record.Tasks[1].Status)
}

// H6: the host timeout. What is stale is tested where a clock can be given.
func TestTheHostTimeoutOfTheConfiguration(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("tutti.yaml", "host: {resultTimeout: 1s}\n")
	s.worker()
	id := s.detach("x", "--chain", "architect", "--backend", "host")
	testenv.Eventually(t, patience, "the timeout", func() error {
		if got := s.show(id).Status; !got.IsTerminal() {
			return fmt.Errorf("it is %s", got)
		}
		return nil
	})
	record := s.show(id)
	require.Equal(t, run.CompletedWithFailures, record.Status)
	require.Equal(t, run.CodeHostTimeout, record.Tasks[0].Error.Code)
	require.Equal(t, "host:error", record.Tasks[0].Executor)
	testenv.Seen(t, "with a host timeout of 1s the task failed with %s", record.Tasks[0].Error.Code)
}

func TestLongAndOddResults(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	id := s.host("x", "--chain", "architect -> reviewer")
	for code, text := range map[run.Code]string{
		run.CodeHostResultInvalid: "caf\xe9", run.CodeHostEmpty: strings.Repeat(" \n", 9<<10),
		run.CodeHostTooLarge: strings.Repeat("x", run.MaxResult+1),
	} {
		r, exit := s.submit(id, "architect", text)
		require.Equal(t, 1, exit)
		require.Equal(t, code, r.Code)
	}
	long := strings.Repeat("0123456789abcde\n", run.MaxResult/16)
	r := s.accepted(id, "architect", long)
	require.Contains(t, r.NextTask.User, "0123456789abcde\n0123456789abcde\n")
	require.Equal(t, long, s.must("run", "output", id, "architect"))
	size := 0
	for _, e := range s.history(id) {
		size += e.Size()
	}
	require.Less(t, size, 64<<10, "4 MiB are not in the history")
	require.Contains(t, s.refused(2, "host", "submit", "run-0123456789abcdef", "a", "-f", "tutti.yaml"), "has no run")
	require.Contains(t, s.refused(2, "host", "submit", id), "the task's ID is missing")
	require.Contains(t, s.refused(2, "host", "submit", id, "a"), "-f")
}
