package runs

import (
	"context"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// recentEvents is how far back Blocked looks for the last workflow task.
const recentEvents = 20

// Blocked says that the run stands still because the workflow's own code fails:
// its workflow task failed and is tried again and again. It goes on by itself
// once a worker has code that does not fail.
func (c *Client) Blocked(ctx context.Context, runID string) (bool, error) {
	d, err := c.temporal.DescribeWorkflow(ctx, runID, "")
	if err != nil {
		return false, fmt.Errorf("run %s: %w", runID, Translate(err))
	}
	described := d.RawResponse
	if described.GetPendingWorkflowTask().GetAttempt() <= 1 {
		return false, nil
	}
	// A lost worker makes further attempts too, by a timeout; only a failure is
	// the code's.
	resp, err := patiently(ctx, readTimeout, &workflowservice.GetWorkflowExecutionHistoryReverseRequest{
		Namespace: c.namespace, Execution: described.GetWorkflowExecutionInfo().GetExecution(),
		MaximumPageSize: recentEvents,
	}, c.temporal.WorkflowService().GetWorkflowExecutionHistoryReverse)
	if err != nil {
		return false, fmt.Errorf("run %s: %w", runID, Translate(err))
	}
	for _, e := range resp.GetHistory().GetEvents() {
		switch e.GetEventType() {
		case enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED:
			return true, nil
		case enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, enumspb.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT:
			return false, nil
		default:
			// It says nothing about how the last workflow task went.
		}
	}
	return false, nil
}
