package mcp

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

type statusArguments struct {
	RunID          string `json:"run_id"`
	IncludeOutputs bool   `json:"include_outputs"`
	Cursor         string `json:"cursor"`
}

func statusTool() tool {
	return tool{
		name: "orchestration_status", title: "Look at a run",
		description: "Look at a run: its status as it is, its tasks, who executed them; with include_outputs their outputs, page by page.",
		arguments: []argument{
			required(text("run_id", "The run.")),
			flag("include_outputs", "Give the tasks' outputs instead of the task list. Default false."),
			text("cursor", "next_cursor of the page before."),
		},
		hints:  hints{readOnly: true, idempotent: true},
		answer: answering(status),
	}
}

type statusAnswer struct {
	RunID          string             `json:"run_id"`
	Status         run.Status         `json:"status"`
	ExecutionState run.ExecutionState `json:"execution_state,omitempty"`
	Degraded       bool               `json:"degraded"`
	Stale          bool               `json:"stale"`
	Backend        string             `json:"backend"`
	HostRole       string             `json:"host_role,omitempty"`
	Chain          string             `json:"chain"`
	Summary        string             `json:"summary"`
	Message        string             `json:"message,omitempty"`
	Semantics      string             `json:"semantics"`
	Error          *failure           `json:"error,omitempty"`
	CreatedAt      *time.Time         `json:"created_at,omitempty"`
	FinishedAt     *time.Time         `json:"finished_at,omitempty"`
	Tasks          []taskStatus       `json:"tasks,omitempty"`
	Outputs        []outputPart       `json:"outputs,omitempty"`
	NextCursor     string             `json:"next_cursor,omitempty"`
}

type taskStatus struct {
	taskRow
	Backend    run.Backend `json:"backend"`
	Executor   string      `json:"executor,omitempty"`
	Provenance string      `json:"provenance,omitempty"`
	Model      string      `json:"model,omitempty"`
	// ModelSource says who named the model of a host.
	ModelSource string   `json:"model_source,omitempty"`
	ClaimedBy   string   `json:"claimed_by,omitempty"`
	Error       *failure `json:"error,omitempty"`
}

// outputPart is a slice of a task's output; parts are counted from 1.
type outputPart struct {
	TaskID string `json:"task_id"`
	part
	Parts        int    `json:"parts"`
	OutputSHA256 string `json:"output_sha256"`
}

func status(ctx context.Context, c *call, a statusArguments) (any, error) {
	r, err := c.record(ctx, a.RunID)
	if err != nil {
		return nil, err
	}
	from, err := parseCursor(a.Cursor)
	if err != nil {
		return nil, err
	}
	answer := statusAnswer{
		RunID: r.RunID, Status: r.Status, ExecutionState: r.ExecutionState, Degraded: r.Degraded, Stale: c.isStale(r),
		Backend: r.WorkerBackend, HostRole: r.HostRole, Chain: run.Clip(r.Chain.Name, 120), Summary: run.Clip(r.Request.Summary, 200),
		Message: nothingExecuted(r), Semantics: r.Semantics, CreatedAt: r.CreatedAt, FinishedAt: r.FinishedAt,
	}
	if r.Error != nil {
		answer.Error = &failure{Code: r.Error.Code, Message: run.Clip(r.Error.Message, 300)}
	}
	if a.IncludeOutputs {
		return &answer, c.fillOutputs(ctx, &answer, r, from)
	}
	answer.fillTasks(r, from)
	return &answer, nil
}

// isStale says that a run waits for a host without any progress for long. It is
// advice and changes nothing.
func (c *call) isStale(r *run.Record) bool {
	return r.UpdatedAt != nil && r.Counts()[run.TaskAwaitingHost] > 0 && c.began.Sub(*r.UpdatedAt) >= c.app.Config.Host.StaleAfter
}

// fillTasks lists as many tasks as fit.
func (a *statusAnswer) fillTasks(r *run.Record, from int) {
	for i := from; i < len(r.Tasks); i++ {
		a.Tasks, a.NextCursor = append(a.Tasks, statusOf(&r.Tasks[i])), ""
		if i+1 < len(r.Tasks) {
			a.NextCursor = cursorAt(i + 1)
		}
		if !fits(a) && len(a.Tasks) > 1 {
			a.Tasks, a.NextCursor = a.Tasks[:len(a.Tasks)-1], cursorAt(i)
			return
		}
	}
}

func statusOf(t *run.Task) taskStatus {
	s := taskStatus{
		taskRow: taskRow{t.ID, t.Specialist.Name, t.Status}, Backend: t.Backend, Executor: t.Executor,
		Provenance: t.ProvenanceSource, Model: t.Model,
	}
	if t.Host != nil {
		s.ModelSource, s.ClaimedBy = t.Host.ModelSource, t.Host.ClaimedBy
	}
	if t.Error != nil {
		s.Error = &failure{t.Error.Code, run.Clip(t.Error.Message, 300), run.Clip(t.Error.Remediation, 300)}
	}
	return s
}

// fillOutputs gives as many slices of outputs as fit, counted over all tasks.
func (c *call) fillOutputs(ctx context.Context, a *statusAnswer, r *run.Record, from int) error {
	at := 0
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status != run.TaskDone {
			continue
		}
		whole, err := c.fetch(ctx, r.TenantID, t.OutputText())
		if err != nil {
			return err
		}
		pieces := outputPieces(whole)
		for n, piece := range pieces {
			if at++; at <= from {
				continue
			}
			a.Outputs = append(a.Outputs, outputPart{t.ID, part{n + 1, piece, content.Digest(piece)}, len(pieces), t.OutputSHA256})
			a.NextCursor = cursorAt(at) // As long as any next cursor, so that what fits is decided with room for one.
			if !fits(a) && len(a.Outputs) > 1 {
				a.Outputs, a.NextCursor = a.Outputs[:len(a.Outputs)-1], cursorAt(at-1)
				return nil
			}
		}
	}
	a.NextCursor = ""
	return nil
}

// cursorPrefix tells a place in a run from the cursors of lists.
const cursorPrefix = "at."

func cursorAt(n int) string { return cursorPrefix + strconv.Itoa(n) }

func parseCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(cursor, cursorPrefix))
	if err != nil || n < 0 || !strings.HasPrefix(cursor, cursorPrefix) {
		return 0, store.ErrCursor
	}
	return n, nil
}
