package testenv

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc/codes"
)

// judged starts a proxy before the shared server for one method, and a client behind it.
func judged(t *testing.T, method string, verdict Verdict) (*GRPC, client.Client, client.Client) {
	t.Helper()
	namespace := Namespace(t)
	proxy := StartGRPC(t, Temporal(t), func(c Call) Verdict {
		if c.Method == method && c.BeforeOfMethod == 0 {
			return verdict
		}
		return Verdict{}
	})
	return proxy, Dial(t, proxy.Address(), namespace), Dial(t, Temporal(t), namespace)
}

func start(ctx context.Context, c client.Client) error {
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: "run-1", TaskQueue: "nobody", WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, "testenv")
	return err
}

func TestAProxyHandsCallsAnswersAndErrorsOn(t *testing.T) {
	t.Parallel()
	proxy, through, _ := judged(t, "", Verdict{})
	require.NoError(t, start(t.Context(), through))
	var already *serviceerror.WorkflowExecutionAlreadyStarted
	require.ErrorAs(t, start(t.Context(), through), &already, "an error keeps its details")
	require.NotEmpty(t, already.RunId)
	d, err := through.DescribeWorkflow(t.Context(), "run-1", "")
	require.NoError(t, err)
	require.Equal(t, "run-1", d.WorkflowExecution.ID)
	require.Contains(t, proxy.Calls(), "StartWorkflowExecution")
	require.Contains(t, proxy.Calls(), "DescribeWorkflowExecution")
}

func TestARefusedCallReachesNobodyAndALostOneIsDone(t *testing.T) {
	t.Parallel()
	for deed, done := range map[Deed]bool{Refuse: false, Lose: true} {
		_, through, direct := judged(t, "StartWorkflowExecution", Verdict{deed, codes.PermissionDenied})
		var refused *serviceerror.PermissionDenied
		require.ErrorAs(t, start(t.Context(), through), &refused, "the SDK does not try this again")
		_, err := direct.DescribeWorkflow(t.Context(), "run-1", "")
		require.Equal(t, done, err == nil, "%v", err)
	}
}

func TestAHeldCallWaitsForItsCaller(t *testing.T) {
	t.Parallel()
	for deed, done := range map[Deed]bool{Hold: false, Withhold: true} {
		proxy, through, direct := judged(t, "StartWorkflowExecution", Verdict{Deed: deed})
		ctx, giveUp := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- start(ctx, through) }()
		select {
		case <-proxy.Held():
		case <-time.After(soon):
			require.Fail(t, "nothing is held")
		}
		_, err := direct.DescribeWorkflow(t.Context(), "run-1", "")
		require.Equal(t, done, err == nil, "%v", err)
		giveUp()
		require.Error(t, <-ended)
	}
}
