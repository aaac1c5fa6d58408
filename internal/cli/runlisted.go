package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// listedPage is what `run list --json` prints.
type listedPage struct {
	Runs       []listedRun `json:"runs"`
	NextCursor *string     `json:"nextCursor"`
}

// listedRun is a run as lists show it. What is unknown or has not happened is
// null.
type listedRun struct {
	RunID          string                 `json:"runId"`
	Status         run.Status             `json:"status"`
	ExecutionState *run.ExecutionState    `json:"executionState"`
	Degraded       bool                   `json:"degraded"`
	Blocked        bool                   `json:"blocked"`
	Stale          bool                   `json:"stale"`
	Chain          run.ChainRef           `json:"chain"`
	WorkerBackend  *string                `json:"workerBackend"`
	TenantID       string                 `json:"tenantId"`
	Summary        string                 `json:"summary"`
	TaskCounts     map[run.TaskStatus]int `json:"taskCounts"`
	Usage          run.Usage              `json:"usage"`
	ResumeAt       *time.Time             `json:"resumeAt"`
	CreatedAt      *time.Time             `json:"createdAt"`
	UpdatedAt      *time.Time             `json:"updatedAt"`
	FinishedAt     *time.Time             `json:"finishedAt"`
}

func (l *listing) encoded(page store.Page, blocked map[string]bool) listedPage {
	out := listedPage{Runs: make([]listedRun, 0, len(page.Runs)), NextCursor: orNull(page.NextCursor)}
	for i := range page.Runs {
		r := &page.Runs[i]
		counts := r.Counts()
		for _, s := range run.TaskStatuses() {
			counts[s] += 0 // Every status is there, so that a program need not ask.
		}
		out.Runs = append(out.Runs, listedRun{
			RunID: r.RunID, Status: r.Status, ExecutionState: orNull(r.ExecutionState),
			Degraded: r.Degraded, Blocked: blocked[r.RunID], Stale: l.stale(r),
			Chain: r.Chain, WorkerBackend: orNull(r.WorkerBackend), TenantID: r.TenantID,
			Summary: r.Request.Summary, TaskCounts: counts, Usage: r.Usage, ResumeAt: resumeAt(r),
			CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, FinishedAt: r.FinishedAt,
		})
	}
	return out
}

func orNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

func (l *listing) stale(r *run.Record) bool {
	return isStale(r, l.app.Config.Host.StaleAfter, l.now())
}

func (l *listing) printRuns(records []run.Record, blocked map[string]bool) error {
	rows := newTable(l.process.Stdout, "RUN", "STATUS", "CHAIN", "BACKEND", "TASKS", "AGE", "REQUEST")
	for i := range records {
		r := &records[i]
		status := string(r.Status)
		if blocked[r.RunID] {
			status += " (blocked)"
		}
		if at := resumeAt(r); at != nil {
			status += " (resumes at " + moment(at, l.zone()) + ")"
		}
		if l.stale(r) {
			status += " (stale)"
		}
		rows.row(r.RunID, status, clip(r.Chain.Name, 40), r.WorkerBackend, tasksWords(r),
			ageOf(r.CreatedAt, l.now()), clip(r.Request.Summary, 60))
	}
	return rows.flush()
}

// tasksWords is how many tasks have ended well, of how many, and how many wait
// for a host.
func tasksWords(r *run.Record) string {
	counts := r.Counts()
	words := fmt.Sprintf("%d/%d", counts[run.TaskDone]+counts[run.TaskPrepared], len(r.Tasks))
	if n := counts[run.TaskAwaitingHost]; n > 0 {
		words += fmt.Sprintf(", %d for a host", n)
	}
	return words
}

// clip cuts a text to a number of characters and marks the cut.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return strings.TrimSpace(string(runes[:most-1])) + "…"
}

// What blockedAmong may cost: a run that moved lately is not stuck, and a page
// does not wait for a Temporal that is away.
const (
	blockedAfter  = 10 * time.Second
	blockedWithin = 2 * time.Second
	blockedAtMost = 20
)

// blockedAmong asks Temporal which of the runs that seem to stand still are
// blocked by a failing workflow. Without an answer none is called so.
func (l *listing) blockedAmong(ctx context.Context, records []run.Record) map[string]bool {
	var suspects []string
	for i := range records {
		r := &records[i]
		if (r.Status == run.Planned || r.Status == run.Running) && r.UpdatedAt != nil &&
			l.now().Sub(*r.UpdatedAt) >= blockedAfter && len(suspects) < blockedAtMost {
			suspects = append(suspects, r.RunID)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, blockedWithin)
	defer cancel()
	client, err := l.app.Runs(ctx)
	if err != nil {
		return nil
	}
	blocked := make(map[string]bool)
	for _, id := range suspects {
		if stuck, err := client.Blocked(ctx, id); err == nil && stuck {
			blocked[id] = true
		}
	}
	return blocked
}
