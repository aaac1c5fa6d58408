package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestWatchFollowsARunAndExitsAsItDid(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	release := s.script.hold("reviewer")
	s.work()
	id := s.start(planOf(run.BackendProvider, "architect", "reviewer"))
	see := func(said string) {
		if strings.Contains(said, "reviewer   running        provider demo/echo") {
			release()
		}
	}
	got := s.tuttiUntil(t.Context(), see, "run", "watch", id)
	require.Zero(t, got.code, got.errors)
	require.Empty(t, got.out)
	var news []string
	for line := range strings.Lines(got.errors) {
		if before, after, ok := strings.Cut(line, "  "); ok && strings.Count(before, ":") == 2 {
			news = append(news, strings.Join(strings.Fields(after)[:2], " "))
		}
	}
	require.Equal(t, []string{
		"run planned", "run running", "architect running", "architect done", "reviewer running", "reviewer done", "run completed",
	}, news)

	// Whoever looks later sees the same, and the record when that is wanted.
	again := s.tutti("run", "watch", id, "--json")
	require.Zero(t, again.code)
	var record run.Record
	require.NoError(t, json.Unmarshal([]byte(again.out), &record))
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "answer of reviewer", record.FinalMessage)
}

func TestWatchExitsByTheTable(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.fail("refused", run.CodeAuth)
	s.script.fail("keyless", run.CodeKeyMissing)
	s.work()
	for id, want := range map[string]int{
		s.start(planOf(run.BackendInline, "one")):                ExitOK,
		s.start(planOf(run.BackendProvider, "one", "refused")):   ExitNotCompleted,
		s.start(planOf(run.BackendProvider, "keyless", "two")):   ExitConfiguration,
		s.start(planOf(run.BackendProvider, "one", "keyless")):   ExitNotCompleted,
		s.start(planOf(run.BackendProvider, "refused", "three")): ExitNotCompleted,
	} {
		got := s.tutti("run", "watch", id)
		require.Equal(t, want, got.code, got.errors)
		require.Equal(t, want, s.tutti("run", "watch", id, "--json").code)
	}
}

func TestWatchSaysThatARunHasWaitedLong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(planOf(run.BackendHost, "one"))
	watch := func() shown {
		got := s.tutti("run", "watch", id, "--json")
		require.Equal(t, ExitAwaitsHost, got.code, got.errors)
		var read shown
		require.NoError(t, json.Unmarshal([]byte(got.out), &read))
		require.False(t, read.Blocked)
		return read
	}
	require.False(t, watch().Stale)
	s.now = func() time.Time { return time.Now().UTC().Add(time.Hour) }
	require.True(t, watch().Stale)
}

func TestWhoStopsWatchingLeavesTheRunAlive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	release := s.script.hold("one")
	s.work()
	id := s.start(planOf(run.BackendProvider, "one"))
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	got := s.tuttiUntil(ctx, func(said string) {
		if strings.Contains(said, "one  running") {
			interrupt()
		}
	}, "run", "watch", id)
	require.Equal(t, ExitPlatform, got.code)
	require.Contains(t, got.errors, "tutti: stopped watching run "+id+", which goes on; watch it again with `tutti run watch "+id+"` or end it")
	release()
	s.finished(id)
}

func TestCancelAbortsWhatIsInFlightAndLeavesWhatHasEnded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.script.hold("slow")
	s.work()
	ended := s.finished(s.start(planOf(run.BackendInline, "one")))
	id := s.start(planOf(run.BackendProvider, "slow", "two"))
	s.until(id, "it is in flight", func(r *run.Record) bool { return r.Status == run.Running && r.Tasks[0].Status == run.TaskRunning })

	// A name that means nothing stops everything.
	s.refused(ExitUsage, "run", "cancel", id, "run-0123456789abcdef")
	require.Equal(t, id+" was asked to end; it was running\n"+ended+" had already ended: completed-prepare-only\n",
		s.ok("run", "cancel", id, ended, "--reason", "changed my mind"))

	got := s.tutti("run", "watch", id)
	require.Equal(t, ExitNotCompleted, got.code)
	require.Contains(t, got.errors, "run   cancelled      0 of 2 tasks done")
	again := decoded[map[string][]cancellation](s, "run", "cancel", id, "--json")
	require.Equal(t, []cancellation{{RunID: id, PreviousStatus: run.Cancelled}}, again["runs"])
	require.Contains(t, s.refused(ExitUsage, "run", "output", id), "is cancelled and has no final message")

	events := s.client.GetWorkflowHistory(t.Context(), id, "", false, 1)
	var reason string
	for events.HasNext() {
		e, err := events.Next()
		require.NoError(t, err)
		reason += e.GetWorkflowExecutionCancelRequestedEventAttributes().GetCause()
	}
	require.Equal(t, "changed my mind", reason)
}

func TestARunWhoseWorkflowFailsIsShownAsBlocked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.workWith(func(workflow.Context, history.RunInput) (history.RunResult, error) {
		panic("the code is broken")
	})
	id := s.start(planOf(run.BackendProvider, "one"))
	testenv.Eventually(t, patience, "the workflow task is tried again", func() error {
		blocked, err := s.runs.Blocked(t.Context(), id)
		if err == nil && !blocked {
			err = errNotYet
		}
		return err
	})
	got := s.tutti("run", "show", id)
	require.Zero(t, got.code)
	require.Contains(t, got.out, "status   planned · blocked")
	require.Contains(t, got.errors, "the workflow's own code fails")

	// A list asks about runs that have stood still for a while.
	s.mirror(id)
	s.now = func() time.Time { return time.Now().UTC().Add(time.Minute) }
	require.Contains(t, s.ok("run", "list"), "planned (blocked)")
	require.True(t, decoded[listedPage](s, "run", "list", "--json").Runs[0].Blocked)
}
