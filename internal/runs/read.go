package runs

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/store"
)

// Get folds the current history of a run, from the archive when Temporal has
// forgotten it.
func (c *Client) Get(ctx context.Context, tenant, runID string) (history.Folded, error) {
	temporalRunID, err := c.current(ctx, runID)
	if errors.Is(err, ErrNotFound) {
		return c.archived(ctx, tenant, runID, err)
	}
	if err != nil {
		return history.Folded{}, err
	}
	folded, err := c.fold(ctx, runID, temporalRunID)
	if err != nil {
		return history.Folded{}, err
	}
	if folded.Record.TenantID != "" && folded.Record.TenantID != tenant {
		return history.Folded{}, fmt.Errorf("run %s: %w", runID, ErrNotFound)
	}
	return folded, nil
}

// current asks for Temporal's own ID of the current run under this run ID.
func (c *Client) current(ctx context.Context, runID string) (string, error) {
	d, err := patiently(ctx, readTimeout, &workflowservice.DescribeWorkflowExecutionRequest{
		Namespace: c.namespace, Execution: &commonpb.WorkflowExecution{WorkflowId: runID},
	}, c.temporal.WorkflowService().DescribeWorkflowExecution)
	if err != nil {
		return "", fmt.Errorf("run %s: %w", runID, Translate(err))
	}
	info := d.GetWorkflowExecutionInfo()
	if info.GetType().GetName() != history.WorkflowType {
		return "", notOurs(runID)
	}
	return info.GetExecution().GetRunId(), nil
}

func notOurs(runID string) error {
	return fmt.Errorf("run %s: %w: that workflow is no run of ours", runID, ErrNotFound)
}

func (c *Client) fold(ctx context.Context, runID, temporalRunID string) (history.Folded, error) {
	f := history.NewFolder(runID, temporalRunID, c.converter)
	err := c.read(ctx, runID, temporalRunID, false, func() error { return nil }, f)
	return f.Folded(), err
}

// read takes a history into the folder and calls after each state that is whole. A
// page ends where the server's commits end, so what is decided then is whole too.
func (c *Client) read(ctx context.Context, runID, temporalRunID string, follow bool, each func() error, f *history.Folder) error {
	request := &workflowservice.GetWorkflowExecutionHistoryRequest{
		Namespace: c.namespace, Execution: &commonpb.WorkflowExecution{WorkflowId: runID, RunId: temporalRunID},
		WaitNewEvent: follow, HistoryEventFilterType: enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
	}
	for {
		page, err := c.page(ctx, request)
		if err != nil {
			return fmt.Errorf("read the history of %s: %w", runID, Translate(err))
		}
		for _, e := range page.GetHistory().GetEvents() {
			if err := f.Take(e); err != nil {
				return fmt.Errorf("fold %s: %w", runID, err)
			}
			if f.IsWhole() {
				if err := each(); err != nil {
					return err
				}
			}
		}
		if !f.IsWhole() {
			if err := f.Flush(); err != nil {
				return fmt.Errorf("fold %s: %w", runID, err)
			}
			if err := each(); err != nil {
				return err
			}
		}
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return nil
		}
	}
}

// Follow folds a run as it goes and hands out what it has after each commit, until
// the run ends, see returns false or an error, or the context ends.
func (c *Client) Follow(ctx context.Context, tenant, runID string, see func(history.Folded) (bool, error)) error {
	temporalRunID, err := c.current(ctx, runID)
	if errors.Is(err, ErrNotFound) {
		folded, err := c.archived(ctx, tenant, runID, err)
		if err == nil {
			_, err = see(folded)
		}
		return err
	}
	if err != nil {
		return err
	}
	f := history.NewFolder(runID, temporalRunID, c.converter)
	err = c.read(ctx, runID, temporalRunID, true, func() error {
		folded := f.Folded()
		if folded.Record.TenantID != "" && folded.Record.TenantID != tenant {
			return fmt.Errorf("run %s: %w", runID, ErrNotFound)
		}
		on, err := see(folded)
		if err == nil && !on {
			return errSeenEnough
		}
		return err
	}, f)
	if errors.Is(err, errSeenEnough) {
		return nil
	}
	return err
}

// errSeenEnough ends a Follow whose caller has seen what it wanted.
var errSeenEnough = errors.New("seen enough")

var idPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,255}$`)

// FindByPrefix returns the IDs of a tenant's runs that begin with the prefix, at
// most limit of them. After a reset visibility lists a run twice; it counts once.
func (c *Client) FindByPrefix(ctx context.Context, tenant, prefix string, limit int) ([]string, error) {
	if !idPattern.MatchString(prefix) {
		return nil, nil
	}
	var ids []string
	var token []byte
	for {
		resp, err := c.visible(ctx, store.Query{Tenant: tenant, IDPrefix: prefix}, MaxListed, token)
		if err != nil {
			return nil, fmt.Errorf("look for runs: %w", Translate(err))
		}
		for _, e := range resp.GetExecutions() {
			id := e.GetExecution().GetWorkflowId()
			if !strings.HasPrefix(id, prefix) || slices.Contains(ids, id) {
				continue
			}
			_, err := c.Get(ctx, tenant, id)
			if errors.Is(err, ErrUnreachable) || ctx.Err() != nil {
				return nil, err
			}
			if err == nil {
				ids = append(ids, id)
			}
			if len(ids) == limit {
				return ids, nil
			}
		}
		if token = resp.GetNextPageToken(); len(token) == 0 {
			return ids, nil
		}
	}
}
