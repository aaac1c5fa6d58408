package mcp_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/mcp"
	"github.com/tutti-dev/tutti/internal/run"
)

// A host that closes its pipe cancels every handler at once. What it started is
// started, and what it handed in counts.
func TestACancelledHandlerStillStartsAndSubmits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	server := mcp.New(mcp.Options{App: s.app(), Lookup: s.lookup})
	gone, leave := context.WithCancel(t.Context())
	leave()
	call := func(tool string, arguments args) answer {
		result, err := server.Answer(gone, tool, arguments)
		require.NoError(t, err)
		require.False(t, result.IsError, "%v", result.StructuredContent)
		raw, err := json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		var a answer
		require.NoError(t, json.Unmarshal(raw, &a))
		return a
	}
	started := call("orchestration_run", args{"request": "build a thing", "chain": "reviewer"})
	require.NotEmpty(t, started.RunID)
	require.Contains(t, started.HostInstructions, "The run was started.")
	s.until(started.RunID, "it awaits a host", func(r *run.Record) bool { return r.Status == run.AwaitingHost })
	submitted := call("orchestration_task_result", args{"run_id": started.RunID, "task_id": "reviewer", "output": "fine"})
	require.True(t, *submitted.Accepted)
	require.Contains(t, submitted.HostInstructions, "do not submit the result again")
	s.until(started.RunID, "it is completed", func(r *run.Record) bool { return r.Status == run.Completed })
}
