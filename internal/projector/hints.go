package projector

import (
	"context"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// committed lists the calls by which a worker changes a run.
func committed(method string) bool {
	name := method[strings.LastIndexByte(method, '/')+1:]
	return strings.HasPrefix(name, "RespondWorkflowTask") || strings.HasPrefix(name, "RespondActivityTask")
}

// Hints is a gRPC interceptor for the worker's connection. It marks the run of
// each commit as dirty when the call has returned, whether it was taken or not:
// a call that failed may have been taken all the same.
func (d *Dirty) Hints() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		begun := time.Now()
		err := invoke(ctx, method, req, reply, cc, opts...)
		if committed(method) {
			d.hint(req, begun, err == nil)
		}
		return err
	}
}

// hint reads the workflow from the request's routing field, which the SDK sets
// to "workflow:<workflow ID>". Often a run has closed by the time at which the call
// returns that brought its last result; then its end has been marked already.
func (d *Dirty) hint(req any, begun time.Time, taken bool) {
	routed, ok := req.(interface{ GetResourceId() string })
	if !ok {
		return
	}
	runID, ok := strings.CutPrefix(routed.GetResourceId(), "workflow:")
	switch {
	case !ok:
	case taken && closes(req):
		d.MarkClosed(runID, time.Now())
	case !d.closedSince(runID, begun):
		d.MarkOpen(runID, time.Now())
	}
}

// closes says that a workflow task ended its run.
func closes(req any) bool {
	completed, ok := req.(*workflowservice.RespondWorkflowTaskCompletedRequest)
	if !ok {
		return false
	}
	for _, command := range completed.GetCommands() {
		switch command.GetCommandType() {
		case enumspb.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION, enumspb.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
			enumspb.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION:
			return true
		default: // The run goes on.
		}
	}
	return false
}
