package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

type listArguments struct {
	Status string `json:"status"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

func listTool() tool {
	return tool{
		name: "orchestration_list", title: "List runs",
		description: "List runs, newest first, without their outputs.",
		arguments: []argument{
			choice("status", "Only runs in this status, for example awaiting-host.", statusWords()...),
			number("limit", "How many at most, up to 50. Default 10. Fewer come when they would not fit; next_cursor has the rest."),
			text("cursor", "next_cursor of the page before."),
		},
		hints:  hints{readOnly: true, idempotent: true},
		answer: answering(list),
	}
}

func statusWords() []string {
	var words []string
	for _, s := range run.Statuses() {
		words = append(words, string(s))
	}
	return words
}

type listAnswer struct {
	Runs       []runRow `json:"runs"`
	NextCursor string   `json:"next_cursor,omitempty"`
	Notice     string   `json:"notice,omitempty"`
}

type runRow struct {
	RunID     string     `json:"run_id"`
	Status    run.Status `json:"status"`
	Stale     bool       `json:"stale,omitempty"`
	Chain     string     `json:"chain"`
	Backend   string     `json:"backend"`
	Summary   string     `json:"summary"`
	TasksDone int        `json:"tasks_done"`
	Tasks     int        `json:"tasks"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
}

const (
	listDefault = 10
	listMost    = 50
)

func list(ctx context.Context, c *call, a listArguments) (any, error) {
	query := store.Query{Tenant: c.app.Config.Tenant, Cursor: a.Cursor}
	if a.Status != "" {
		s := run.Status(a.Status)
		if !slices.Contains(run.Statuses(), s) {
			return nil, &failure{
				Code: run.CodeRunInputInvalid, Message: fmt.Sprintf("there is no status %q", run.Clip(a.Status, 40)),
				Remediation: "use one of " + strings.Join(statusWords(), ", "),
			}
		}
		query.Statuses = []run.Status{s}
	}
	query.Limit = min(a.Limit, listMost)
	if query.Limit <= 0 {
		query.Limit = listDefault
	}
	// A page is read again, shorter, when it does not fit: only whoever reads a page
	// knows its cursor.
	for {
		page, notice, err := c.page(ctx, query)
		if err != nil {
			return nil, err
		}
		answer := c.listed(page, notice)
		if fits(answer) || query.Limit == 1 {
			return answer, nil
		}
		query.Limit /= 2
	}
}

// temporalCursor begins the cursors of pages that were read from Temporal.
const temporalCursor = "temporal."

// page reads the mirror, and Temporal itself while the mirror cannot be read.
func (c *call) page(ctx context.Context, query store.Query) (store.Page, string, error) {
	if !strings.HasPrefix(query.Cursor, temporalCursor) {
		mirror, _, err := c.app.Store(ctx)
		var page store.Page
		if err == nil {
			page, err = mirror.ListRuns(ctx, query)
		}
		if err == nil || query.Cursor != "" {
			return page, "", err
		}
		c.log.Debug("the mirror cannot be read", "error", err)
	}
	client, err := c.runs(ctx)
	if err != nil {
		return store.Page{}, "", err
	}
	listing, err := client.ListPage(ctx, query)
	return listing.Page, "the store cannot be read, so this page was read from Temporal and may hold fewer runs than there are", err
}

func (c *call) listed(page store.Page, notice string) *listAnswer {
	answer := &listAnswer{Runs: make([]runRow, 0, len(page.Runs)), NextCursor: page.NextCursor, Notice: notice}
	for i := range page.Runs {
		r := &page.Runs[i]
		counts := r.Counts()
		answer.Runs = append(answer.Runs, runRow{
			RunID: r.RunID, Status: r.Status, Stale: c.isStale(r), Chain: run.Clip(r.Chain.Name, 60), Backend: r.WorkerBackend,
			Summary: run.Clip(r.Request.Summary, 120), TasksDone: counts[run.TaskDone] + counts[run.TaskPrepared], Tasks: len(r.Tasks),
			CreatedAt: r.CreatedAt,
		})
	}
	return answer
}
