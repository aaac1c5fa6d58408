package activities_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"google.golang.org/grpc"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

const heartbeatMethod = "/temporal.api.workflowservice.v1.WorkflowService/RecordActivityTaskHeartbeat"

// beaten sends a heartbeat through the interceptor, to a server that answers so.
func beaten(b *activities.Beats, method, token string, answer error) {
	_ = b.Interceptor()(context.Background(), method,
		&workflowservice.RecordActivityTaskHeartbeatRequest{TaskToken: []byte(token)}, nil, nil,
		func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return answer })
}

func fencedStage(t *testing.T, timeout time.Duration) (*stage, *activities.Beats) {
	t.Helper()
	beats := activities.NewBeats()
	s := newStage(t, func(d *activities.Dependencies) { d.Beats = beats })
	s.sdk.pose(func(info *activity.Info) {
		info.ActivityID, info.Attempt, info.HeartbeatTimeout = "engineer/1", 1, timeout
	})
	return s, beats
}

// TestACallWithoutAGoodBeatStopsItself before the server would give it up; another
// attempt may follow, and nobody takes it for a cancellation of the run.
func TestACallWithoutAGoodBeatStopsItself(t *testing.T) {
	t.Parallel()
	const timeout = 500 * time.Millisecond
	s, beats := fencedStage(t, timeout)
	var after time.Duration
	s.model.during = func(ctx context.Context) error {
		beaten(beats, heartbeatMethod, s.sdk.token, errors.New("unavailable"))
		beaten(beats, heartbeatMethod, "another's", nil)
		beaten(beats, "/x/RespondActivityTaskCompleted", s.sdk.token, nil)
		began := time.Now()
		<-ctx.Done()
		after = time.Since(began)
		return ctx.Err()
	}
	_, err := s.execute(task())
	app, detail := failure(t, err)
	require.Equal(t, string(run.CodeWorkerLost), app.Type())
	require.False(t, app.NonRetryable())
	require.Greater(t, after, timeout/2)
	require.Equal(t, 1, detail.Usage.CallsUncertain, "it will be made again, and may have been paid")
	require.Positive(t, detail.Charge.Tokens)
	require.Equal(t, []ledger.State{ledger.Abandoned}, s.states())
	require.Equal(t, 1, s.rows()[0].Usage.CallsUncertain)
}

func TestGoodBeatsKeepACallAlive(t *testing.T) {
	t.Parallel()
	const timeout = 200 * time.Millisecond
	s, beats := fencedStage(t, timeout)
	s.model.outcomes = []provider.Outcome{answer("ok")}
	s.model.during = func(ctx context.Context) error {
		tick := time.NewTicker(timeout / 20)
		defer tick.Stop()
		for end := time.After(3 * timeout); ; {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
				beaten(beats, heartbeatMethod, s.sdk.token, nil)
			case <-end:
				return nil
			}
		}
	}
	_, err := s.execute(task())
	require.NoError(t, err)
}

// TestAFencedCallLosesAgainstItsSuccessor: whether it has an answer by now or not,
// no answer and no row of the successor changes, and its own row ends abandoned.
func TestAFencedCallLosesAgainstItsSuccessor(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"without an answer": false, "with a late answer": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := fencedStage(t, 100*time.Millisecond)
			s.model.outcomes = []provider.Outcome{answer("too late")}
			var others []ledger.Attempt
			s.model.during = func(ctx context.Context) error {
				<-ctx.Done()
				if err := otherWorker(s, answer("in time")); err != nil {
					return err
				}
				others = s.rows()[1:]
				require.Equal(t, []ledger.State{ledger.Uncertain, ledger.Answered}, s.states())
				if late {
					return nil
				}
				return ctx.Err()
			}
			result, err := s.execute(task())
			if late {
				require.NoError(t, err)
				require.Equal(t, "in time", result.Output.Inline)
			} else {
				require.Error(t, err)
			}
			require.Equal(t, []ledger.State{ledger.Abandoned, ledger.Answered}, s.states())
			require.Equal(t, others, s.rows()[1:])
		})
	}
}
