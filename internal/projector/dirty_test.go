package projector

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

func TestARunMarkedOftenIsTakenOnceAndInTurn(t *testing.T) {
	t.Parallel()
	d := NewDirty()
	for _, id := range []string{"a", "b", "a", "c", "b", "a"} {
		d.Mark(id)
	}
	require.Equal(t, 3, d.Len())
	require.Equal(t, []string{"a", "b"}, d.take(2))
	d.Mark("a") // It changed again while it was folded, so it waits again.
	d.Mark("c")
	require.Equal(t, []string{"c", "a"}, d.take(10))
	require.Empty(t, d.take(10))
	require.Zero(t, d.Len())
}

func TestMarkingNeverWaits(t *testing.T) {
	t.Parallel()
	d := NewDirty()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, id := range []string{"a", "b", "c"} {
				d.Mark(id)
			}
		})
	}
	group.Wait() // Nobody reads the wake channel: a mark that waited would hang here.
	taken := d.take(100)
	slices.Sort(taken)
	require.Equal(t, []string{"a", "b", "c"}, taken)
	require.Len(t, d.wake, 1, "however many marks there were, one look is enough")
}

func TestWhichCallsChangeARun(t *testing.T) {
	t.Parallel()
	const service = "/temporal.api.workflowservice.v1.WorkflowService/"
	for method, changes := range map[string]bool{
		"RespondWorkflowTaskCompleted": true, "RespondWorkflowTaskFailed": true,
		"RespondActivityTaskCompleted": true, "RespondActivityTaskFailed": true, "RespondActivityTaskCanceled": true,
		"PollWorkflowTaskQueue": false, "PollActivityTaskQueue": false, "RecordActivityTaskHeartbeat": false,
		"RespondQueryTaskCompleted": false, "GetWorkflowExecutionHistory": false, "DescribeWorkflowExecution": false,
	} {
		require.Equal(t, changes, committed(service+method), method)
	}
}

func TestAHintNamesTheRunByTheRoutingField(t *testing.T) {
	t.Parallel()
	d := NewDirty()
	d.hint(&workflowservice.RespondWorkflowTaskCompletedRequest{ResourceId: "workflow:run-1"})
	d.hint(&workflowservice.RespondActivityTaskFailedRequest{ResourceId: "workflow:my:run"})
	d.hint(&workflowservice.RespondActivityTaskCompletedRequest{ResourceId: "activity:one/1"})
	d.hint(&workflowservice.RespondActivityTaskCompletedRequest{})
	d.hint(&workflowservice.DescribeNamespaceRequest{})
	d.hint("no message at all")
	require.Equal(t, []string{"run-1", "my:run"}, d.take(10))
}

func TestACallThatFailedIsAHintToo(t *testing.T) {
	t.Parallel()
	d := NewDirty()
	refused := errors.New("the connection broke")
	for _, c := range []struct {
		method string
		err    error
		marks  []string
	}{
		{"/s/RespondWorkflowTaskCompleted", nil, []string{"run-1"}},
		{"/s/RespondWorkflowTaskCompleted", refused, []string{"run-1"}},
		{"/s/RespondQueryTaskCompleted", nil, []string{}},
	} {
		request := &workflowservice.RespondWorkflowTaskCompletedRequest{ResourceId: "workflow:run-1"}
		waiting := -1
		invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error {
			waiting = d.Len()
			return c.err
		}
		require.Equal(t, c.err, d.Hints()(t.Context(), c.method, request, nil, nil, invoke))
		require.Zero(t, waiting, "a hint before the commit could be folded too early")
		require.Equal(t, c.marks, append([]string{}, d.take(10)...))
	}
}
