package runs

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

const (
	// pollTimeout is above the time that the server holds a long poll, 20 seconds.
	pollTimeout = 65 * time.Second
	// readTimeout is how long the SDK lets its own calls wait for an answer.
	readTimeout = 10 * time.Second
	// blip is how long a failing server is asked again. The SDK does the same for
	// the calls that it makes itself, and not for those that are made by hand.
	blip = 10 * time.Second
)

// page asks for the next page of a history. A long poll that ends without news is
// asked again by the caller with the token that came with it.
func (c *Client) page(ctx context.Context, request *workflowservice.GetWorkflowExecutionHistoryRequest) (*workflowservice.GetWorkflowExecutionHistoryResponse, error) {
	timeout := readTimeout
	if request.GetWaitNewEvent() {
		timeout = pollTimeout
	}
	return patiently(ctx, timeout, request, c.temporal.WorkflowService().GetWorkflowExecutionHistory)
}

// patiently makes a call by hand as the SDK makes its own: each try has its time,
// and a server that is away for now is asked again. What is asked must bear that.
func patiently[Q, A any](ctx context.Context, timeout time.Duration, request Q, ask func(context.Context, Q, ...grpc.CallOption) (A, error)) (A, error) {
	var until time.Time
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		asking, cancel := context.WithTimeout(ctx, timeout)
		answer, err := ask(asking, request)
		cancel()
		if err == nil {
			return answer, nil
		}
		awaitDeadline(ctx)
		if until.IsZero() {
			until = time.Now().Add(blip)
		}
		if !mayPass(err) || time.Now().After(until) || !rest(ctx, pause) {
			return answer, err
		}
	}
}

// mayPass says that the server is away for now or asks for patience.
func mayPass(err error) bool {
	var away *serviceerror.Unavailable
	var busy *serviceerror.ResourceExhausted
	return errors.As(err, &away) || errors.As(err, &busy)
}

// rest waits, and says whether the caller still does.
func rest(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// awaitDeadline lets a deadline pass that gRPC has noticed a little before the
// context does, so that a caller who asks the context whose time is over is told
// the truth.
func awaitDeadline(ctx context.Context) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < 100*time.Millisecond {
		<-ctx.Done()
	}
}
