package workflows_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const histories = "testdata/histories"

// recorded lists every recorded history. None would make the replay tests pass
// without having looked at anything.
func recorded(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(histories, "*", "*.json"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), len(scenarios()), "record them with: "+howToRecord)
	return files
}

func load(t *testing.T, file string) *historypb.History {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	h, err := client.HistoryFromJSON(f, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return h
}

// replay runs a workflow over a history and returns the last record it had.
func replay(h *historypb.History, execution workflow.Execution, fn any) (run.Record, error) {
	var last run.Record
	replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{})
	if err != nil {
		return last, err
	}
	if fn == nil {
		fn = workflows.New(testTiming(), func(r *run.Record, _ []run.Stamped) { last = *r }).Run
	}
	replayer.RegisterWorkflowWithOptions(fn, workflow.RegisterOptions{Name: history.WorkflowType})
	// What it has to say of a failure stands in the error.
	quiet := log.NewStructuredLogger(slog.New(slog.DiscardHandler))
	err = replayer.ReplayWorkflowHistoryWithOptions(quiet, h, worker.ReplayWorkflowHistoryOptions{OriginalExecution: execution})
	return last, err
}

// executionOf names the execution that a history file belongs to.
func executionOf(file string, h *historypb.History) workflow.Execution {
	started := h.GetEvents()[0].GetWorkflowExecutionStartedEventAttributes()
	return workflow.Execution{ID: strings.TrimSuffix(filepath.Base(file), ".json"), RunID: started.GetOriginalExecutionRunId()}
}

// T7: histories of all shapes that the workflow ever had go on with today's code.
func TestEveryRecordedHistoryReplaysAndTheFoldAgrees(t *testing.T) {
	t.Parallel()
	files, events := recorded(t), 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			h := load(t, file)
			events += len(h.GetEvents())
			execution := executionOf(file, h)
			replayed, err := replay(h, execution, nil)
			require.NoError(t, err)
			folded, err := history.Fold(execution.ID, execution.RunID, h.GetEvents(), converter.GetDefaultDataConverter())
			require.NoError(t, err)
			require.Empty(t, folded.Unknown)
			requireSame(t, replayed, folded.Record)
		})
	}
	testenv.Seen(t, "%d histories of %d recordings with %d events replay, and the fold agrees with each", len(files), len(folders(t)), events)
}

// Every prefix of a history that ends with a completed workflow task is a run
// that somebody might look at: the fold must read it, and times never go back.
func TestTheFoldReadsEveryPrefixOfEveryHistory(t *testing.T) {
	t.Parallel()
	for _, file := range recorded(t) {
		h := load(t, file)
		execution := executionOf(file, h)
		f := history.NewFolder(execution.ID, execution.RunID, converter.GetDefaultDataConverter())
		var updated time.Time
		for _, e := range h.GetEvents() {
			require.NoError(t, f.Take(e), file)
			r := f.Folded().Record
			require.Equal(t, e.GetEventId(), r.LastEventID)
			if r.UpdatedAt != nil {
				require.False(t, r.UpdatedAt.Before(updated), file)
				updated = *r.UpdatedAt
			}
		}
		require.NoError(t, f.Flush())
		require.True(t, f.Folded().Record.Status.IsTerminal(), file)
	}
}

// T7: a deliberately changed workflow replays no history of the current shape.
func TestAChangedWorkflowFailsTheReplay(t *testing.T) {
	t.Parallel()
	today, refused := workflows.New(testTiming(), nil).Run, 0
	for name, changed := range map[string]func(workflow.Context, history.RunInput) (history.RunResult, error){
		"waits first": func(ctx workflow.Context, in history.RunInput) (history.RunResult, error) {
			if err := workflow.Sleep(ctx, time.Second); err != nil {
				return history.RunResult{}, err
			}
			return today(ctx, in)
		},
		"does nothing": func(workflow.Context, history.RunInput) (history.RunResult, error) {
			return history.RunResult{}, nil
		},
		"forgets a task": func(ctx workflow.Context, in history.RunInput) (history.RunResult, error) {
			in.Plan.Tasks = in.Plan.Tasks[:1]
			return today(ctx, in)
		},
		"goes by other names": func(ctx workflow.Context, in history.RunInput) (history.RunResult, error) {
			in.Plan.Tasks[0].ID += "s"
			in.Plan.Tasks[1].Needs[0] += "s"
			return today(ctx, in)
		},
		"ends otherwise": func(ctx workflow.Context, in history.RunInput) (history.RunResult, error) {
			result, err := today(ctx, in)
			if err == nil {
				err = errors.New("a failure of its own")
			}
			return result, err
		},
	} {
		for _, scenario := range []string{"inline", "chain"} {
			file := newest(t, scenario)
			h := load(t, file)
			_, err := replay(h, executionOf(file, h), changed)
			require.Error(t, err, "a workflow that %s must not replay %s", name, file)
			refused++
		}
	}
	testenv.Seen(t, "%d replays by changed workflows were refused", refused)
}
