package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestProgressPrintsALineForEachChange(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &command{process: Process{Stderr: &out, Now: noon}}
	p := newProgress(c)
	tokens := int64(7)
	r := run.Record{RunID: "run-1", Status: run.Planned, Chain: run.ChainRef{Name: "some"}, UpdatedAt: later(0), Tasks: []run.Task{
		{ID: "one", Status: run.TaskQueued, Backend: run.BackendProvider, Provider: "demo", Model: "echo"},
		{ID: "grüße", Status: run.TaskQueued, Backend: run.BackendInline},
		{ID: "b", Status: run.TaskQueued, Backend: run.BackendHost},
		{ID: "c", Status: run.TaskQueued, Backend: run.BackendProvider},
	}}
	see := func(status run.Status, tasks ...run.TaskStatus) {
		r.Status = status
		r.UpdatedAt = later(time.Duration(out.Len()) * time.Millisecond)
		for i, s := range tasks {
			r.Tasks[i].Status = s
		}
		p.see(history.Folded{Record: r})
	}
	p.see(history.Folded{})
	p.see(history.Folded{Record: r})
	p.see(history.Folded{Record: r}) // Nothing has changed, so nothing is said.
	see(run.Running, run.TaskRunning)
	r.Tasks[0].Executor, r.Tasks[0].Truncated = "provider:demo:echo", true
	r.Tasks[0].Usage.OutputTokens = &tokens
	r.Tasks[0].StartedAt, r.Tasks[0].FinishedAt = later(0), later(1500*time.Millisecond)
	r.Tasks[3].ResumeAt, r.Tasks[3].ParkedFor = later(time.Hour), run.CodeRateLimited
	see(run.Running, run.TaskDone, run.TaskRunning, run.TaskRunning, run.TaskParked)
	see(run.AwaitingHost, run.TaskDone, run.TaskPrepared, run.TaskAwaitingHost, run.TaskParked)
	r.Tasks[3].Error = &run.Failure{Code: run.CodeAuth, Message: "the key\nis refused"}
	r.Tasks[2].SkipReason = run.SkipUpstreamFailed
	see(run.CompletedWithFailures, run.TaskDone, run.TaskPrepared, run.TaskSkipped, run.TaskFailed)
	require.Equal(t, ""+
		"12:00:00  run    planned        some\n"+
		"12:00:00  run    running\n"+
		"12:00:00  one    running        provider demo/echo\n"+
		"12:00:00  one    done           provider:demo:echo, 1.5s, 7 out, truncated\n"+
		"12:00:00  grüße  running        inline\n"+
		"12:00:00  b      running        host\n"+
		"12:00:00  c      parked         resumes at 2026-01-31 13:00:00, PROVIDER_RATE_LIMITED\n"+
		"12:00:00  run    awaiting-host  a host has to execute what is prepared\n"+
		"12:00:00  grüße  prepared       the prompt is ready; nothing was executed\n"+
		"12:00:00  b      awaiting-host  waits for a host's result\n"+
		"12:00:00  b      skipped        upstream-failed\n"+
		"12:00:00  c      failed         PROVIDER_AUTH_ERROR: the key is refused\n"+
		"12:00:00  run    completed-with-failures  2 of 4 tasks done; c: PROVIDER_AUTH_ERROR; 1 skipped\n",
		out.String())
}
