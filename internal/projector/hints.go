package projector

import (
	"context"
	"strings"

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
		err := invoke(ctx, method, req, reply, cc, opts...)
		if committed(method) {
			d.hint(req)
		}
		return err
	}
}

// hint reads the workflow from the request's routing field, which the SDK sets
// to "workflow:<workflow ID>".
func (d *Dirty) hint(req any) {
	routed, ok := req.(interface{ GetResourceId() string })
	if !ok {
		return
	}
	if runID, ok := strings.CutPrefix(routed.GetResourceId(), "workflow:"); ok {
		d.Mark(runID)
	}
}
