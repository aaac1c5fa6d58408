package runs

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// MaxListed is how many runs ListPage reads at most: each is folded.
const MaxListed = 50

// Listing is a page of folded runs. Its cursor continues ListPage alone.
type Listing struct {
	store.Page
	// Unreadable names the runs of this page whose history could not be folded.
	Unreadable []string
}

// ListPage lists runs without the mirror: it reads one page of Temporal's
// visibility and folds every run on it. A page may hold fewer runs than there
// are, or none, and still have a cursor, because what does not match the query
// is left out after it was folded. The order is Temporal's: open runs first,
// then those that closed last. The error is store.ErrCursor for a cursor that
// is not from here.
func (c *Client) ListPage(ctx context.Context, q store.Query) (Listing, error) {
	token, err := parseToken(q.Cursor)
	if err != nil {
		return Listing{}, err
	}
	size := min(q.Limit, MaxListed)
	if size <= 0 {
		size = MaxListed
	}
	resp, err := c.visible(ctx, q, size, token)
	if err != nil {
		return Listing{}, fmt.Errorf("list runs: %w", Translate(err))
	}
	var page Listing
	for _, e := range resp.GetExecutions() {
		if err := c.listOne(ctx, q, e, &page); err != nil {
			return Listing{}, err
		}
	}
	if next := resp.GetNextPageToken(); len(next) > 0 {
		page.NextCursor = tokenPrefix + base64.RawURLEncoding.EncodeToString(next)
	}
	return page, nil
}

// listOne folds one run of a page. After a reset visibility lists a run twice;
// only the Temporal run that is current counts.
func (c *Client) listOne(ctx context.Context, q store.Query, e *workflowpb.WorkflowExecutionInfo, page *Listing) error {
	id := e.GetExecution().GetWorkflowId()
	current, err := c.current(ctx, id)
	if errors.Is(err, ErrNotFound) || (err == nil && current != e.GetExecution().GetRunId()) {
		return nil
	}
	if err != nil {
		return err
	}
	folded, err := c.fold(ctx, id, current)
	switch {
	case errors.Is(err, ErrUnreachable), ctx.Err() != nil:
		return err
	case err != nil && !errors.Is(err, ErrNotFound) && folded.Record.TenantID == q.Tenant:
		page.Unreadable = append(page.Unreadable, id)
	case err == nil && q.Matches(&folded.Record):
		page.Runs = append(page.Runs, store.Listing(folded.Record))
	}
	return nil
}

// visible reads a page of visibility. Where the namespace has tutti's search
// attributes, other tenants' runs are not even read; runs that were started by
// hand carry none.
func (c *Client) visible(ctx context.Context, q store.Query, size int, token []byte) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	list := func(query string) (*workflowservice.ListWorkflowExecutionsResponse, error) {
		return c.temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: c.namespace, Query: query, PageSize: int32(size), NextPageToken: token, //nolint:gosec // at most MaxListed
		})
	}
	query := visibilityQuery(q)
	resp, err := list(query + fmt.Sprintf(" AND (%s = %s OR %s IS NULL)", history.AttributeTenant, quote(q.Tenant), history.AttributeTenant))
	if isUnknownAttribute(err) {
		return list(query)
	}
	return resp, err
}

// visibilityQuery is as much of the query as Temporal can answer.
func visibilityQuery(q store.Query) string {
	query := fmt.Sprintf("WorkflowType = '%s'", history.WorkflowType)
	if !q.Since.IsZero() {
		query += fmt.Sprintf(" AND StartTime >= '%s'", q.Since.UTC().Format(time.RFC3339Nano))
	}
	if len(q.Statuses) > 0 {
		var closed []string
		for _, s := range q.Statuses {
			closed = append(closed, executionStatuses(s)...)
		}
		slices.Sort(closed)
		query += fmt.Sprintf(" AND ExecutionStatus IN ('%s')", strings.Join(slices.Compact(closed), "', '"))
	}
	if idPattern.MatchString(q.IDPrefix) {
		query += fmt.Sprintf(" AND WorkflowId STARTS_WITH '%s'", q.IDPrefix)
	}
	return query
}

// executionStatuses are Temporal's words for a run in this status.
func executionStatuses(s run.Status) []string {
	switch s {
	case run.Planned, run.Running, run.AwaitingHost:
		return []string{"Running"}
	case run.Completed, run.CompletedPrepareOnly, run.Degraded:
		return []string{"Completed"}
	case run.CompletedWithFailures:
		return []string{"Failed"}
	case run.Cancelled:
		return []string{"Canceled"}
	case run.Errored:
		return []string{"Failed", "Terminated", "TimedOut"}
	}
	return nil
}

// quote writes a text as a literal of Temporal's list filters.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// tokenPrefix tells a cursor of visibility from one of the mirror.
const tokenPrefix = "temporal."

func parseToken(cursor string) ([]byte, error) {
	if cursor == "" {
		return nil, nil
	}
	encoded, ok := strings.CutPrefix(cursor, tokenPrefix)
	if !ok {
		return nil, store.ErrCursor
	}
	token, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return nil, store.ErrCursor
	}
	return token, nil
}
