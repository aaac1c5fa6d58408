package mcp_test

import (
	"net"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// T6: a run that waits for a host is cancelled, and takes no result after that.
func TestACancelledRunTakesNoResults(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": three})
	cancelled := h.ok("orchestration_cancel", args{"run_id": a.RunID, "reason": "not needed"})
	require.True(t, cancelled.Cancelled)
	require.Equal(t, run.AwaitingHost, cancelled.PreviousStatus)
	s.until(a.RunID, "it has ended", func(r *run.Record) bool { return r.FinishedAt != nil })
	h.refused(run.CodeRunAlreadyEnded, "orchestration_task_result", args{"run_id": a.RunID, "task_id": "architect", "output": "late"})
	again := h.ok("orchestration_cancel", args{"run_id": a.RunID})
	require.False(t, again.Cancelled)
	require.Equal(t, run.Cancelled, again.PreviousStatus)
	require.Equal(t, run.Cancelled, h.ok("orchestration_status", args{"run_id": a.RunID}).Status)
	testenv.Seen(t, "over MCP: cancelled while %s, a later result is refused with %s", cancelled.PreviousStatus, run.CodeRunAlreadyEnded)
}

func TestWhatCannotCountIsRefusedWithItsCode(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "architect -> engineer"})
	const result = "orchestration_task_result"
	long := strings.Repeat("x", run.MaxResult+1)
	cases := []struct {
		code run.Code
		tool string
		args args
	}{
		{run.CodeHostResultInvalid, result, args{"run_id": a.RunID, "output": "x"}},
		{run.CodeHostResultInvalid, result, args{"run_id": a.RunID, "task_id": "architect", "output": "a\x00b"}},
		{run.CodeHostResultInvalid, result, args{"run_id": a.RunID, "task_id": "architect", "output": "x", "outcome": "maybe"}},
		{run.CodeRunNotFound, result, args{"run_id": "run-0000000000000000", "task_id": "architect", "output": "x"}},
		{run.CodeTaskNotFound, result, args{"run_id": a.RunID, "task_id": "nobody", "output": "x"}},
		{run.CodeTaskNotAwaiting, result, args{"run_id": a.RunID, "task_id": "engineer", "output": "x"}},
		{run.CodeHostEmpty, result, args{"run_id": a.RunID, "task_id": "architect", "output": " \n"}},
		{run.CodeHostTooLarge, result, args{"run_id": a.RunID, "task_id": "architect", "output": long}},
		{run.CodeHostClaimLost, result, args{"run_id": a.RunID, "task_id": "architect", "output": "x", "claim_token": 99}},
		{run.CodeHostPrompt, result, args{"run_id": a.RunID, "task_id": "architect", "output": "x", "prompt_sha256": "00"}},
		{run.CodeRunInputInvalid, "orchestration_run", args{"request": "  "}},
		{run.CodeRunInputInvalid, "orchestration_run", args{"request": "x", "worker_backend": "cloud"}},
		{run.CodeRunInputInvalid, "orchestration_run", args{"request": "x", "chian": "reviewer"}},
		{run.CodeChainInvalid, "orchestration_run", args{"request": "x", "chain": "nonsense"}},
		{run.CodeSpecialist, "orchestration_run", args{"request": "x", "chain": "reviewer -> nobody"}},
		{run.CodeModelUnresolved, "orchestration_run", args{"request": "x", "chain": "reviewer", "worker_backend": "provider"}},
		{run.CodeRunNotFound, "orchestration_status", args{"run_id": "run-0000000000000000"}},
		{run.CodeRunInputInvalid, "orchestration_status", args{"run_id": a.RunID, "cursor": "elsewhere"}},
		{run.CodeRunNotFound, "orchestration_next", args{"run_id": "run-0000000000000000"}},
		{run.CodeTaskNotFound, "orchestration_prompt", args{"run_id": a.RunID, "task_id": "nobody"}},
		{run.CodeRunInputInvalid, "orchestration_list", args{"status": "odd"}},
	}
	for _, c := range cases {
		h.refused(c.code, c.tool, c.args)
	}
	require.Equal(t, run.AwaitingHost, s.record(a.RunID).Status, "nothing of it changed the run")

	failed := h.ok(result, args{"run_id": a.RunID, "task_id": "architect", "outcome": "failed", "error": "no access"})
	require.Equal(t, run.CompletedWithFailures, failed.RunStatus)
	record := s.record(a.RunID)
	require.Equal(t, run.CodeHostFailure, record.Tasks[0].Error.Code)
	require.Equal(t, "no access", record.Tasks[0].Error.Message)
	testenv.Seen(t, "over MCP %d requests refused, each with code, error and remediation", len(cases))
}

// X1 over MCP: another tenant's run is as good as none, for reading and for writing.
func TestAnotherTenantsRunIsAsGoodAsNone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	mine := s.host(claude)
	a := mine.ok("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
	theirs := s.with("TUTTI_TENANT", "other").host(claude)
	tools := map[string]args{
		"orchestration_status": {"run_id": a.RunID}, "orchestration_next": {"run_id": a.RunID}, "orchestration_cancel": {"run_id": a.RunID},
		"orchestration_prompt":      {"run_id": a.RunID, "task_id": "reviewer"},
		"orchestration_task_result": {"run_id": a.RunID, "task_id": "reviewer", "output": "x"},
	}
	for tool, arguments := range tools {
		theirs.refused(run.CodeRunNotFound, tool, arguments)
	}
	require.Empty(t, theirs.ok("orchestration_list", args{}).Runs)
	require.Empty(t, theirs.ok("orchestration_next", args{}).RunID)
	resources := []string{"tutti://runs/" + a.RunID, "tutti://runs/" + a.RunID + "/tasks/reviewer/prompt", "tutti://runs/" + a.RunID + "/tasks/reviewer/output"}
	for _, uri := range resources {
		_, err := theirs.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		require.Error(t, err, uri)
		require.NotContains(t, err.Error(), "build a thing", uri)
	}
	_, err := mine.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: resources[1]})
	require.NoError(t, err, "its own tenant reads it")
	require.Equal(t, run.AwaitingHost, s.record(a.RunID).Status)
	testenv.Seen(t, "over MCP %d tools and %d resources do not find the other tenant's run, list and next show none", len(tools), len(resources))
}

// Without a worker a run is recorded, a result is pending, and both count later.
func TestWithoutAWorkerNothingIsLost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
	require.Equal(t, run.Planned, a.Status)
	require.Nil(t, a.NextTask)
	require.Positive(t, a.RetryAfterMS)
	require.Contains(t, a.HostInstructions, "`tutti worker`")
	stop := s.work()
	got := h.ok("orchestration_next", args{"run_id": a.RunID, "wait_ms": 20000})
	require.Equal(t, "reviewer", got.NextTask.TaskID)
	stop()

	pending := h.submit(a.RunID, got.NextTask, "looks good")
	require.Contains(t, pending.raw, "accepted")
	require.Nil(t, pending.Accepted)
	require.True(t, pending.Pending)
	s.work()
	s.until(a.RunID, "the result counts", func(r *run.Record) bool { return r.Status == run.Completed })
}

// Without Temporal the server starts at once, lists what it can do, and says what
// is missing when it is asked for it.
func TestWithoutTemporalToolsAreListedAndSayWhatToDo(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nowhere := listener.Addr().String()
	require.NoError(t, listener.Close())
	home := t.TempDir()
	s := &stage{t: t, home: home, env: map[string]string{"TEMPORAL_ADDRESS": nowhere, "TEMPORAL_CONFIG_FILE": "/dev/null", "TUTTI_DATA_DIR": home}}
	began := time.Now()
	h := s.host(claude)
	listed, err := h.session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, listed.Tools, 7)
	require.Less(t, time.Since(began), time.Second)
	for tool, arguments := range map[string]args{
		"orchestration_run":    {"request": "x"},
		"orchestration_next":   {},
		"orchestration_status": {"run_id": "run-1"},
	} {
		a := h.refused(run.CodeUnreachable, tool, arguments)
		require.Contains(t, a.Error, nowhere)
		require.Contains(t, a.Remediation, "tutti dev")
	}
	_, err = h.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "tutti://runs/run-1"})
	require.ErrorContains(t, err, "tutti dev")
}
