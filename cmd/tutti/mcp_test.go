package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// inspector is MCP Inspector's command line, a client that nobody here wrote.
type inspector struct {
	*stage
	path, era string
}

func (s *stage) inspector(era string) inspector {
	s.t.Helper()
	path := filepath.Join(testenv.Root(s.t), ".bin", "npm", "node_modules", ".bin", "mcp-inspector")
	if _, err := os.Stat(path); err != nil {
		s.t.Fatalf("MCP Inspector is not there; install it with: make inspector (it needs npm): %v", err)
	}
	return inspector{stage: s, path: path, era: era}
}

// hostAnswer is what a tool answered, as far as these tests read it.
type hostAnswer struct {
	RunID     string     `json:"run_id"`
	Status    run.Status `json:"status"`
	RunStatus run.Status `json:"run_status"`
	Accepted  *bool      `json:"accepted"`
	Code      run.Code   `json:"code"`
	NextTask  *struct {
		TaskID       string `json:"task_id"`
		PromptSHA256 string `json:"prompt_sha256"`
		ClaimToken   int64  `json:"claim_token"`
	} `json:"next_task"`
}

// call calls a tool. Each call has a server process of its own, so that nothing can
// hang on one.
func (i inspector) call(exit int, tool string, arguments map[string]any) hostAnswer {
	i.t.Helper()
	raw, err := json.Marshal(arguments)
	require.NoError(i.t, err)
	args := []string{"--cli"}
	for _, variable := range i.env {
		args = append(args, "-e", variable)
	}
	args = append(args, "--cwd", i.work, testenv.Binary(i.t), "mcp", "--protocol-era", i.era,
		"--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(raw), "--format", "json", "-q")
	p, code := testenv.Run(i.t, patience, testenv.ProcessOptions{Path: i.path, Args: args, Dir: i.work})
	require.Equal(i.t, exit, code, "%s: %s", tool, p.Output())
	require.Less(i.t, len(p.Stdout()), 8000+len(`{"result":}`)+1, "hosts cut longer results")
	var result struct {
		Result struct {
			StructuredContent json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	require.NoError(i.t, json.Unmarshal([]byte(p.Stdout()), &result), p.Stdout())
	var a hostAnswer
	require.NoError(i.t, json.Unmarshal(result.Result.StructuredContent, &a))
	return a
}

// H9: a chain of three tasks through a client that none of us wrote, in both eras
// of the protocol.
func TestMCPInspectorDrivesAChainFromStartToCompleted(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.worker()
			i := s.inspector(era)
			a := i.call(0, "orchestration_run", map[string]any{"request": "build a thing", "chain": "architect -> engineer -> reviewer"})
			require.Equal(t, run.AwaitingHost, a.Status)
			next, ended := a.NextTask, run.Status("")
			for _, id := range []string{"architect", "engineer", "reviewer"} {
				require.NotNil(t, next)
				require.Equal(t, id, next.TaskID)
				got := i.call(0, "orchestration_task_result", map[string]any{
					"run_id": a.RunID, "task_id": id, "output": "the work of " + id,
					"claim_token": next.ClaimToken, "prompt_sha256": next.PromptSHA256,
				})
				require.True(t, *got.Accepted)
				next, ended = got.NextTask, got.RunStatus
			}
			require.Nil(t, next)
			require.Equal(t, run.Completed, ended)
			record := s.show(a.RunID)
			require.Equal(t, "the work of reviewer", record.FinalMessage)
			require.True(t, strings.HasPrefix(record.Tasks[0].Executor, "host:"), record.Tasks[0].Executor)
			refused := i.call(5, "orchestration_task_result", map[string]any{"run_id": a.RunID, "task_id": "reviewer", "output": "another"})
			require.Equal(t, run.CodeRunAlreadyEnded, refused.Code)
			testenv.Seen(t, "MCP Inspector, %s protocol: %d tasks by %s, the run is %s", era, len(record.Tasks), record.Tasks[0].Executor, record.Status)
		})
	}
}

// A host that closes the pipe right after its request cancels every handler; the
// run is started all the same, and the server ends in order.
func TestAHostThatLeavesAtOnceHasStartedItsRun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"leaver","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	o := s.options("mcp")
	o.Stdin = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"orchestration_run","arguments":{"request":"build a thing","chain":"reviewer"},` + meta + "}}\n"
	p, code := testenv.Run(t, patience, o)
	require.Zero(t, code, p.Output())
	require.Contains(t, p.Stdout(), `"status":"planned"`, "what it asked was answered all the same")
	require.Contains(t, s.must("run", "list"), "planned")
	require.Contains(t, s.must("run", "list", "--json"), `"workerBackend": "host"`)
}

func TestMCPWithoutTemporalAnswersAndEndsInOrder(t *testing.T) {
	t.Parallel()
	p, code := testenv.Run(t, patience, testenv.ProcessOptions{
		Path: testenv.Binary(t), Args: []string{"mcp"}, Env: []string{"TEMPORAL_ADDRESS=127.0.0.1:1", "TUTTI_DATA_DIR=" + t.TempDir()},
		Stdin: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n",
	})
	require.Zero(t, code, p.Output())
	require.Empty(t, p.Stderr())
	require.Contains(t, p.Stdout(), `"protocolVersion":"2025-06-18"`)
	require.Contains(t, p.Stdout(), "orchestration_run", "the instructions")
}
