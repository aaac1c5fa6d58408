package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func TestEveryToolIsAnnotatedAndTakesTheDocumentedArguments(t *testing.T) {
	t.Parallel()
	h := newStage(t).host(claude)
	require.Contains(t, h.session.InitializeResult().Instructions, "awaiting-host")
	listed, err := h.session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	got := make(map[string]string)
	for _, tool := range listed.Tools {
		schema, ok := tool.InputSchema.(map[string]any)
		require.True(t, ok)
		var names []string
		properties, ok := schema["properties"].(map[string]any)
		require.True(t, ok)
		for _, name := range strings.Fields("request chain worker_backend model idempotency_key run_id task_id part output outcome error claim_token " +
			"prompt_sha256 provider reasoning usage claim takeover lease_seconds include_outputs status limit cursor reason wait_ms") {
			if _, ok := properties[name]; ok {
				names = append(names, name)
			}
		}
		require.Len(t, names, len(properties), tool.Name)
		letter := map[bool]string{true: "T", false: "F"}
		a := tool.Annotations
		got[tool.Name] = letter[a.ReadOnlyHint] + letter[*a.DestructiveHint] + letter[a.IdempotentHint] + letter[*a.OpenWorldHint] +
			fmt.Sprint(schema["required"]) + strings.Join(names, " ")
		require.NotEmpty(t, tool.Description)
	}
	require.Equal(t, map[string]string{
		"orchestration_run":         "FFFT[request]request chain worker_backend model idempotency_key wait_ms",
		"orchestration_next":        "FFTF<nil>run_id claim takeover lease_seconds wait_ms",
		"orchestration_prompt":      "TFTF[run_id task_id]run_id task_id part",
		"orchestration_task_result": "FFTF[run_id task_id]model run_id task_id output outcome error claim_token prompt_sha256 provider reasoning usage",
		"orchestration_status":      "TFTF[run_id]run_id include_outputs cursor",
		"orchestration_list":        "TFTF<nil>status limit cursor",
		"orchestration_cancel":      "FTTF[run_id]run_id reason",
	}, got)
}

func TestPromptsAreTheUsersOwnWords(t *testing.T) {
	t.Parallel()
	h := newStage(t).host(claude)
	for name, argument := range map[string]string{"run_specialists": "request", "resume_run": "run_id", "next_task": "run_id"} {
		got, err := h.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: map[string]string{argument: "the {} thing"}})
		require.NoError(t, err)
		require.Len(t, got.Messages, 1)
		require.Equal(t, sdk.Role("user"), got.Messages[0].Role)
		text, ok := got.Messages[0].Content.(*sdk.TextContent)
		require.True(t, ok)
		require.Contains(t, text.Text, "the {} thing")
		require.Contains(t, text.Text, "orchestration_")
	}
}

func TestResourcesHoldTheRunItsPromptsAndItsOutputs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/specialists/short.md", "---\nname: short\ndescription: a short one\n---\nBe <short> & \"plain\".\n")
	s.work()
	h := s.host(claude)
	short := h.ok("orchestration_run", args{"request": "build a thing", "chain": "short"})
	require.Contains(t, *short.NextTask.System, `Be <short> & "plain".`, "a prompt that fits comes whole")
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "architect -> engineer"})
	h.submit(a.RunID, a.NextTask, "the design")
	read := func(uri string) []*sdk.ResourceContents {
		got, err := h.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		require.NoError(t, err, uri)
		return got.Contents
	}
	base := "tutti://runs/" + a.RunID
	var record run.Record
	require.NoError(t, json.Unmarshal([]byte(read(base)[0].Text), &record))
	require.Equal(t, run.AwaitingHost, record.Status)
	prompt := read(base + "/tasks/architect/prompt")
	require.Len(t, prompt, 2)
	require.Equal(t, s.promptOf(h, a.RunID, a.NextTask), prompt[0].Text+"\x00"+prompt[1].Text)
	require.Equal(t, "the design", read(base + "/tasks/architect/output")[0].Text)
	for _, uri := range []string{"tutti://runs/run-0000000000000000", base + "/tasks/nobody/prompt", base + "/tasks/engineer/output"} {
		_, err := h.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		require.ErrorContains(t, err, "not found", uri)
	}
}

func TestAnInlineRunSaysFirstThatNothingWasExecuted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": three, "worker_backend": "inline"})
	require.Equal(t, run.CompletedPrepareOnly, a.Status)
	require.True(t, strings.HasPrefix(a.Message, "Nothing was executed"), a.Message)
	require.Nil(t, a.NextTask)
	require.Contains(t, a.Semantics, "does not reason")
	status := h.ok("orchestration_status", args{"run_id": a.RunID})
	require.True(t, strings.HasPrefix(status.Message, "Nothing was executed"), status.Message)
	require.NotEmpty(t, h.ok("orchestration_prompt", args{"run_id": a.RunID, "task_id": "reviewer"}).Part.Text)
}

// The host's own metadata and the model's own words are kept apart.
func TestWhoNamedTheModelStandsOnTheRecord(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	turn := map[string]any{"session_id": "s-1", "model": "gpt-5.5"}
	for _, c := range []struct {
		who                 who
		model, source, role string
		session             string
	}{
		{who{name: "Claude Code"}, "says-so", run.ModelSelfReported, "claude-code", ""},
		{who{name: "codex-mcp-client", meta: map[string]any{"x-codex-turn-metadata": turn}}, "gpt-5.5", run.ModelHostDeclared, "codex-mcp-client", "s-1"},
		{who{name: "Visual Studio Code", meta: map[string]any{"vscode.conversationId": "c/1"}}, "says-so", run.ModelSelfReported, "visual-studio-code", "c-1"},
	} {
		h := s.host(c.who)
		a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
		got := h.ok("orchestration_task_result", args{
			"run_id": a.RunID, "task_id": "reviewer", "output": "fine", "model": "says-so", "provider": "somebody",
			"reasoning": "I looked twice", "usage": map[string]any{"input_tokens": 7, "output_tokens": 2},
		})
		require.Equal(t, run.Completed, got.RunStatus)
		record := s.record(a.RunID)
		task := record.Tasks[0]
		require.Equal(t, c.model, task.Model)
		require.Equal(t, c.source, task.Host.ModelSource)
		require.Equal(t, c.role, record.HostRole)
		require.Equal(t, c.session, task.Host.Session)
		require.Equal(t, int64(7), *record.Usage.InputTokens)
		require.Equal(t, "I looked twice", task.Reasoning)
	}
}

// A task of another backend runs by itself, beside the host's.
func TestAMixedRunGoesOnByItselfBetweenTheHostsTasks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/mixed.yaml", `name: mixed
description: a provider between two hosts
tasks:
  - {specialist: architect}
  - {specialist: engineer, needs: [architect], backend: provider, model: demo/echo}
  - {specialist: reviewer, needs: [engineer]}
`)
	s.work()
	h := s.host(claude)
	a := h.ok("orchestration_run", args{"request": "build a thing", "chain": "mixed"})
	require.Equal(t, "mixed", a.Backend)
	require.Contains(t, strings.Join(a.Notices, " "), "paid model API")
	got := h.submit(a.RunID, a.NextTask, "the design")
	require.Equal(t, "reviewer", got.NextTask.TaskID)
	require.Equal(t, run.Completed, h.submit(a.RunID, got.NextTask, "fine").RunStatus)
	require.Equal(t, "provider:demo:echo", s.record(a.RunID).Tasks[1].Executor)
}

// A run of the greatest chain still answers within the size that hosts take.
func TestTheGreatestChainFitsPageByPage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	h := s.host(claude)
	chain := strings.TrimSuffix(strings.Repeat("architect -> ", 30), " -> ")
	a := h.ok("orchestration_run", args{"request": strings.Repeat("é\"", 300), "chain": chain})
	require.Equal(t, 30, len(a.Tasks)+a.TasksOmitted)
	require.Positive(t, a.TasksOmitted)
	seen, cursor := 0, ""
	for {
		page := h.ok("orchestration_status", args{"run_id": a.RunID, "cursor": cursor})
		seen += len(page.Tasks)
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	require.Equal(t, 30, seen)
}

func TestRunsAreListedPageByPageAndByStatus(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.host(claude)
	want := make(map[string]bool)
	for i := range 12 {
		a := h.ok("orchestration_run", args{"request": strings.Repeat("\"quoted\" ", 40) + fmt.Sprint(i), "chain": "reviewer", "wait_ms": 0})
		want[a.RunID] = true
	}
	cursor, pages := "", 0
	for {
		page := h.ok("orchestration_list", args{"limit": 50, "cursor": cursor})
		pages++
		for _, r := range page.Runs {
			id, ok := r["run_id"].(string)
			require.True(t, ok)
			require.True(t, want[id], "%s is listed once", id)
			delete(want, id)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	require.Empty(t, want)
	require.Greater(t, pages, 1)
	require.Empty(t, h.ok("orchestration_list", args{"status": "completed"}).Runs)
	require.NotEmpty(t, h.ok("orchestration_list", args{"status": "planned"}).Runs)
}

func TestSamplingFallsBackToPickupAndSaysSo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("tutti.yaml", "host: {execution: sampling}\n")
	s.work()
	a := s.host(claude).ok("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
	require.Equal(t, "reviewer", a.NextTask.TaskID)
	require.Contains(t, strings.Join(a.Notices, " "), "sampling")
}

// Two tasks side by side go to two sessions; neither gets the other's.
func TestTasksSideBySideGoToSeveralSessions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/wide.yaml", `name: wide
description: two at once
tasks:
  - {specialist: architect}
  - {specialist: engineer}
`)
	s.work()
	one := s.with("CLAUDE_CODE_SESSION_ID", "one").host(claude)
	two := s.with("COPILOT_AGENT_SESSION_ID", "two").host(claude)
	a := one.ok("orchestration_run", args{"request": "build a thing", "chain": "wide"})
	b := two.ok("orchestration_next", args{"run_id": a.RunID, "wait_ms": 20000})
	require.NotEqual(t, a.NextTask.TaskID, b.NextTask.TaskID)
	require.Equal(t, run.Completed, func() run.Status {
		one.submit(a.RunID, a.NextTask, "first")
		return two.submit(a.RunID, b.NextTask, "second").RunStatus
	}())
	peek := one.ok("orchestration_next", args{"run_id": a.RunID, "claim": false})
	require.Nil(t, peek.NextTask)
	require.Equal(t, run.Completed, peek.Status)
}
