package projector

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commandpb "go.temporal.io/api/command/v1"
	enumspb "go.temporal.io/api/enums/v1"
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
	d.hint(&workflowservice.RespondWorkflowTaskCompletedRequest{ResourceId: "workflow:run-1"}, time.Now(), true)
	d.hint(&workflowservice.RespondActivityTaskFailedRequest{ResourceId: "workflow:my:run"}, time.Now(), true)
	d.hint(&workflowservice.RespondActivityTaskCompletedRequest{ResourceId: "activity:one/1"}, time.Now(), true)
	d.hint(&workflowservice.RespondActivityTaskCompletedRequest{}, time.Now(), true)
	d.hint(&workflowservice.DescribeNamespaceRequest{}, time.Now(), true)
	d.hint("no message at all", time.Now(), true)
	d.ripenAll()
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
		d.ripenAll()
		require.Equal(t, c.marks, append([]string{}, d.take(10)...))
	}
}

func TestARunThatGoesOnIsDueAfterTheCalm(t *testing.T) {
	t.Parallel()
	d, now := NewDirty(), time.Unix(1000, 0)
	_, some := d.ripen(now, 10)
	require.False(t, some)

	d.MarkOpen("a", now)
	d.MarkOpen("b", now.Add(calm/2))
	d.MarkOpen("a", now.Add(calm/2)) // It waits no longer for that.
	require.Equal(t, 2, d.Len())
	again, some := d.ripen(now, 10)
	require.True(t, some)
	require.Equal(t, calm, again)
	require.Empty(t, d.take(10))

	now = now.Add(calm)
	again, some = d.ripen(now, 10)
	require.True(t, some)
	require.Zero(t, again)
	require.Equal(t, []string{"a"}, d.take(10))
	again, _ = d.ripen(now, 10)
	require.Equal(t, calm/2, again)
}

func TestTheOpenRunsOfABusyWorkerTakeTurns(t *testing.T) {
	t.Parallel()
	d, now := NewDirty(), time.Unix(1000, 0)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		d.MarkOpen(id, now)
	}
	now = now.Add(10 * calm)
	busy := func() { d.MarkOpen("e", now) }
	busy()
	d.ripen(now, 2)
	require.Equal(t, []string{"a", "b"}, d.take(10))
	d.rest(now, time.Millisecond)
	again, some := d.ripen(now, 2)
	require.True(t, some)
	require.Equal(t, openShare*time.Millisecond, again)
	require.Empty(t, d.take(10))
	now = now.Add(again)
	busy()
	d.ripen(now, 2)
	require.Equal(t, []string{"c", "d"}, d.take(10))

	d.rest(now, time.Minute)
	again, _ = d.ripen(now, 2)
	require.Equal(t, quiet, again, "a worker that has nothing to do projects what there is")
	again, _ = d.ripen(now.Add(again), 2)
	require.Zero(t, again)
	require.Equal(t, []string{"e"}, d.take(10))
}

func TestTheEndOfARunWaitsForNothing(t *testing.T) {
	t.Parallel()
	d, now := NewDirty(), time.Unix(1000, 0)
	d.MarkOpen("open", now)
	d.MarkOpen("closed", now)
	d.hint(&workflowservice.RespondWorkflowTaskCompletedRequest{
		ResourceId: "workflow:closed",
		Commands:   []*commandpb.Command{{CommandType: enumspb.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION}},
	}, time.Now(), true)
	require.Equal(t, []string{"closed"}, d.take(10))
	require.Equal(t, 1, d.Len())

	now = now.Add(10 * calm)
	again, some := d.ripen(now, 10)
	require.True(t, some)
	require.Zero(t, again)
	require.Equal(t, []string{"open"}, d.take(10))
	_, some = d.ripen(now, 10)
	require.False(t, some, "the place that the closed run had among the open ones is void")
}

func TestACallDuringWhichItsRunClosedIsNoHint(t *testing.T) {
	t.Parallel()
	d := NewDirty()
	closing := &workflowservice.RespondWorkflowTaskCompletedRequest{
		ResourceId: "workflow:run-1",
		Commands:   []*commandpb.Command{{CommandType: enumspb.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION}},
	}
	result := &workflowservice.RespondActivityTaskCompletedRequest{ResourceId: "workflow:run-1"}
	begun := time.Now()
	d.hint(closing, begun, true)
	require.Equal(t, []string{"run-1"}, d.take(10))
	d.hint(result, begun, true) // It was sent before, and its reply came after.
	require.Zero(t, d.Len())

	d.hint(result, time.Now(), true) // After a reset the run goes on.
	require.Equal(t, 1, d.Len())
	d.ripenAll()
	d.take(10)
	d.hint(closing, begun, false) // It may have been taken or not.
	require.Zero(t, d.Len(), "the run has closed before")
}
