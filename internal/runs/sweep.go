package runs

import (
	"context"
	"fmt"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/history"
)

// Listed is a run as Temporal's visibility lists it.
type Listed struct {
	Tenant        string // empty where the namespace has no search attributes of ours
	RunID         string
	TemporalRunID string
	StartedAt     time.Time
	ClosedAt      time.Time // zero while open
}

// CountClosedBetween says how many runs ClosedBetween would list.
func (c *Client) CountClosedBetween(ctx context.Context, from, until time.Time) (int, error) {
	resp, err := c.temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: c.namespace, Query: closedBetween(from, until),
	})
	if err != nil {
		return 0, fmt.Errorf("count runs: %w", Translate(err))
	}
	return int(resp.GetCount()), nil
}

// ClosedBetween lists runs that closed at or after the one time and before the
// other, oldest first is not promised. It calls visit with each page and stops when
// visit fails.
func (c *Client) ClosedBetween(ctx context.Context, from, until time.Time, visit func([]Listed) error) error {
	return c.list(ctx, closedBetween(from, until), visit)
}

// closedBetween asks for the status too, because a server with an SQL store has open
// runs close in the far future.
func closedBetween(from, until time.Time) string {
	return fmt.Sprintf("WorkflowType = '%s' AND CloseTime >= '%s' AND CloseTime < '%s' AND ExecutionStatus != 'Running'",
		history.WorkflowType, from.UTC().Format(time.RFC3339Nano), until.UTC().Format(time.RFC3339Nano))
}

// OpenRuns lists the runs that are open.
func (c *Client) OpenRuns(ctx context.Context, visit func([]Listed) error) error {
	return c.list(ctx, fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running'", history.WorkflowType), visit)
}

// AllRuns lists every run that Temporal knows.
func (c *Client) AllRuns(ctx context.Context, visit func([]Listed) error) error {
	return c.list(ctx, fmt.Sprintf("WorkflowType = '%s'", history.WorkflowType), visit)
}

// tenantOf is whose run it is, as far as visibility knows.
func tenantOf(attributes *commonpb.SearchAttributes) (tenant string) {
	payload := attributes.GetIndexedFields()[history.AttributeTenant]
	if payload == nil || converter.GetDefaultDataConverter().FromPayload(payload, &tenant) != nil {
		return ""
	}
	return tenant
}

const pageSize = 100

func (c *Client) list(ctx context.Context, query string, visit func([]Listed) error) error {
	var token []byte
	for {
		resp, err := c.temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: c.namespace, Query: query, PageSize: pageSize, NextPageToken: token,
		})
		if err != nil {
			return fmt.Errorf("list runs: %w", Translate(err))
		}
		page := make([]Listed, 0, len(resp.GetExecutions()))
		for _, e := range resp.GetExecutions() {
			l := Listed{
				Tenant: tenantOf(e.GetSearchAttributes()),
				RunID:  e.GetExecution().GetWorkflowId(), TemporalRunID: e.GetExecution().GetRunId(),
				StartedAt: e.GetStartTime().AsTime(),
			}
			if e.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
				l.ClosedAt = e.GetCloseTime().AsTime()
			}
			page = append(page, l)
		}
		if err := visit(page); err != nil {
			return err
		}
		if token = resp.GetNextPageToken(); len(token) == 0 {
			return nil
		}
	}
}
