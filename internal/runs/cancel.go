package runs

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// CancelBecause asks the run to end, as Cancel does, and writes the reason into
// its history.
func (c *Client) CancelBecause(ctx context.Context, runID, reason string) error {
	if reason == "" {
		return c.Cancel(ctx, runID)
	}
	// Asked twice with one request ID, the server does it once.
	_, err := patiently(ctx, readTimeout, &workflowservice.RequestCancelWorkflowExecutionRequest{
		Namespace:         c.namespace,
		WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: runID},
		Identity:          "tutti", RequestId: uuid.NewString(), Reason: reason,
	}, c.temporal.WorkflowService().RequestCancelWorkflowExecution)
	if err != nil {
		return fmt.Errorf("cancel %s: %w", runID, Translate(err))
	}
	return nil
}
