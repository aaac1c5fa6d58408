package mcp_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

const three = "architect -> engineer -> reviewer"

// H9 over the SDK's own client, at each revision of the protocol that is served.
func TestAHostExecutesAChainFromRunToCompletedAtEachRevision(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	for _, protocol := range sdk.SupportedProtocolVersions() {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			stage := *s
			stage.t = t
			h := stage.host(who{name: "Claude Code", version: "2.1", protocol: protocol})
			a := h.ok("orchestration_run", args{"request": "build a thing", "chain": three})
			require.Equal(t, run.AwaitingHost, a.Status)
			require.Equal(t, "host", a.Backend)
			require.Contains(t, a.Semantics, "host-reported")
			require.True(t, strings.HasPrefix(a.HostInstructions, "The run was started."), a.HostInstructions)
			require.Len(t, a.Tasks, 3)

			next := a.NextTask
			for i, id := range []string{"architect", "engineer", "reviewer"} {
				require.NotNil(t, next, "task %s", id)
				require.Equal(t, id, next.TaskID)
				require.Equal(t, int64(1), next.ClaimToken)
				require.Equal(t, next.PromptSHA256, content.Digest(stage.promptOf(h, a.RunID, next)))
				if i > 0 {
					require.Contains(t, stage.promptOf(h, a.RunID, next), fmt.Sprintf("output %d", i-1), "a prompt holds the earlier results")
				}
				got := h.submit(a.RunID, next, fmt.Sprintf("output %d", i))
				require.True(t, *got.Accepted)
				require.False(t, got.Duplicate)
				if next = got.NextTask; i == 2 {
					require.Contains(t, got.raw, "next_task", "null is said")
					require.Nil(t, next)
					require.Equal(t, run.Completed, got.RunStatus)
				}
			}
			record := stage.record(a.RunID)
			require.Equal(t, "host:claude-code", record.Tasks[2].Executor)
			require.Equal(t, "Claude Code", record.Tasks[2].Host.ClientName)
			require.Equal(t, "2.1", record.Tasks[2].Host.ClientVersion)
			require.Equal(t, run.ProvenanceHost, record.Tasks[2].ProvenanceSource)
			status := h.ok("orchestration_status", args{"run_id": a.RunID, "include_outputs": true})
			require.Len(t, status.Outputs, 3)
			require.Equal(t, "output 2", status.Outputs[2].Text)
		})
	}
}

// promptOf joins a prompt from what the host was given, part by part.
func (s *stage) promptOf(h *host, runID string, t *task) string {
	s.t.Helper()
	if t.Parts == 0 {
		require.NotNil(s.t, t.System)
		require.NotNil(s.t, t.User)
		return *t.System + "\x00" + *t.User
	}
	require.Nil(s.t, t.System, "system and user are filled only when both fit")
	require.Equal(s.t, 1, t.Part.N)
	var whole strings.Builder
	for n := 1; n <= t.Parts; n++ {
		a := h.ok("orchestration_prompt", args{"run_id": runID, "task_id": t.TaskID, "part": n})
		require.Equal(s.t, n, a.Part.N)
		require.Equal(s.t, content.Digest(a.Part.Text), a.Part.SHA256)
		if n == 1 {
			require.Equal(s.t, t.Part, a.Part)
		}
		whole.WriteString(a.Part.Text)
	}
	return whole.String()
}

func TestALongPromptComesInPartsAndALongResultByReference(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	request := strings.Repeat("Fügen Sie <b>\"alles\"</b> & mehr ein \\ 世界\n", 400)
	a := h.ok("orchestration_run", args{"request": request, "chain": "architect -> engineer"})
	require.Greater(t, a.NextTask.Parts, 5)
	require.Contains(t, a.HostInstructions, "orchestration_prompt")
	whole := s.promptOf(h, a.RunID, a.NextTask)
	require.Equal(t, a.NextTask.PromptSHA256, content.Digest(whole), "the parts are the very bytes")
	require.Contains(t, whole, strings.TrimSpace(request))
	h.refused(run.CodeRunInputInvalid, "orchestration_prompt", args{"run_id": a.RunID, "task_id": "architect", "part": a.NextTask.Parts + 1})

	output := strings.Repeat("a long line of the design\n", 2000)
	got := h.submit(a.RunID, a.NextTask, output)
	require.True(t, *got.Accepted)
	kept := s.record(a.RunID).Tasks[0]
	require.Empty(t, kept.Output, "it travelled by reference")
	require.Equal(t, content.Digest(output), kept.OutputSHA256)
	require.Contains(t, s.promptOf(h, a.RunID, got.NextTask), strings.TrimSpace(output))
	h.submit(a.RunID, got.NextTask, "short")

	var read strings.Builder
	cursor := ""
	for {
		page := h.ok("orchestration_status", args{"run_id": a.RunID, "include_outputs": true, "cursor": cursor})
		for _, o := range page.Outputs {
			read.WriteString(o.Text)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	require.Equal(t, output+"short", read.String(), "outputs come whole, page by page")
}

// H5: the host and its server die, and another process finds the run and goes on.
func TestADeadHostsRunIsFoundAndFinishedByAnother(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	first := s.with("CLAUDE_CODE_SESSION_ID", "one").host(claude)
	a := first.ok("orchestration_run", args{"request": "build a thing", "chain": "architect -> engineer"})
	require.NoError(t, first.session.Close())

	second := s.with("CLAUDE_CODE_SESSION_ID", "two").host(claude)
	held := second.found(a.RunID)
	require.Equal(t, "architect", held.NextTask.TaskID)
	require.Equal(t, "alice/one", held.NextTask.ClaimedBy, "another session has it in hand")
	require.Nil(t, held.NextTask.User, "two hosts should not do one work")
	require.NotNil(t, held.NextTask.ClaimExpires)
	require.Contains(t, held.HostInstructions, "takeover")

	taken := second.ok("orchestration_next", args{"takeover": true})
	require.Equal(t, a.RunID, taken.RunID)
	require.Equal(t, int64(2), taken.NextTask.ClaimToken)
	late := first.stage.with("CLAUDE_CODE_SESSION_ID", "one").host(claude)
	late.refused(run.CodeHostClaimLost, "orchestration_task_result", args{
		"run_id": a.RunID, "task_id": "architect", "output": "late", "claim_token": a.NextTask.ClaimToken,
	})
	got := second.submit(a.RunID, taken.NextTask, "the design")
	require.Equal(t, "engineer", got.NextTask.TaskID)
	got = second.submit(a.RunID, got.NextTask, "the code")
	require.Equal(t, run.Completed, got.RunStatus)
	require.Equal(t, "two", s.record(a.RunID).Tasks[1].Host.Session)
	testenv.Seen(t, "by orchestration_next another session found the run, took it over with token %d and finished it: %s", taken.NextTask.ClaimToken, got.RunStatus)
}

// found asks for any waiting run until Temporal's visibility has caught up.
func (h *host) found(runID string) answer {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		a := h.ok("orchestration_next", args{})
		if a.RunID == runID {
			return a
		}
		require.True(h.t, time.Now().Before(deadline), "the run is not found: %v", a.raw)
	}
}

func TestARepeatedResultIsADuplicateAlsoAfterTheClose(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
	first := h.submit(a.RunID, a.NextTask, "looks good")
	require.False(t, first.Duplicate)
	again := h.submit(a.RunID, a.NextTask, "looks good")
	require.True(t, *again.Accepted)
	require.True(t, again.Duplicate)
	require.Equal(t, run.Completed, again.RunStatus)
	h.refused(run.CodeRunAlreadyEnded, "orchestration_task_result", args{"run_id": a.RunID, "task_id": "reviewer", "output": "another"})
}

// C13 over MCP: one key is one run, and a host's own call ID is a key.
func TestOneKeyIsOneRunHoweverOftenAHostCalls(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	arguments := args{"request": "build a thing", "chain": "reviewer", "idempotency_key": "k"}
	hosts := make([]*host, 10)
	for i := range hosts {
		hosts[i] = s.host(claude)
	}
	answers := make([]answer, len(hosts))
	var group sync.WaitGroup
	for i, h := range hosts {
		group.Go(func() { answers[i], _ = h.call("orchestration_run", arguments) })
	}
	group.Wait()
	fresh := 0
	for _, a := range answers {
		require.Equal(t, answers[0].RunID, a.RunID)
		if !a.Deduplicated {
			fresh++
		}
	}
	require.Equal(t, 1, fresh)
	testenv.Seen(t, "over MCP %d calls at once with one key: %d run started", len(hosts), fresh)
	hosts[0].refused(run.CodeIdempotencyKey, "orchestration_run", args{"request": "another thing", "chain": "reviewer", "idempotency_key": "k"})

	retried := s.host(who{name: "Claude Code", meta: map[string]any{"claudecode/toolUseId": "toolu_1"}})
	one := retried.ok("orchestration_run", args{"request": "x", "chain": "reviewer"})
	two := retried.ok("orchestration_run", args{"request": "x", "chain": "reviewer"})
	require.Equal(t, one.RunID, two.RunID)
	require.True(t, two.Deduplicated)
	codex := s.host(who{name: "codex-mcp-client", meta: map[string]any{"callId": "1", "sessionId": "a"}})
	other := s.host(who{name: "codex-mcp-client", meta: map[string]any{"callId": "1", "sessionId": "b"}})
	require.NotEqual(t,
		codex.ok("orchestration_run", args{"request": "x", "chain": "reviewer"}).RunID,
		other.ok("orchestration_run", args{"request": "x", "chain": "reviewer"}).RunID, "a call ID is unique in its session only")
}
