package activities_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

// counting is a caller that knows how many calls were in flight at most. Calls
// wait for each other until as many as wanted are.
type counting struct {
	want, now, most atomic.Int32
	met             chan struct{}
}

func (c *counting) Call(ctx context.Context, _ provider.Endpoint, _ provider.Request) (provider.Outcome, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for {
		most := c.most.Load()
		if n <= most || c.most.CompareAndSwap(most, n) {
			break
		}
	}
	if n == c.want.Load() {
		close(c.met)
		c.want.Store(-1)
	}
	select {
	case <-c.met:
		return answer("ok"), nil
	case <-ctx.Done():
		return provider.Outcome{}, ctx.Err()
	}
}

func TestCallsInFlightAreBoundedPerProvider(t *testing.T) {
	t.Parallel()
	for provider, most := range map[string]int32{"fake": 3, "other": 32} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			calls := &counting{met: make(chan struct{})}
			calls.want.Store(most)
			acts := activities.New(activities.Dependencies{
				Store: memory.New(), Caller: calls, Endpoints: anyEndpoint{}, Concurrency: map[string]int{"fake": 3, "other": 0},
			})
			var group sync.WaitGroup
			for i := range 32 {
				group.Go(func() {
					var suite testsuite.WorkflowTestSuite
					env := suite.NewTestActivityEnvironment()
					acts.Register(env)
					in := task()
					in.Provider, in.Call = provider, i+1
					if _, err := env.ExecuteActivity(history.ActivityExecute, in); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			require.Equal(t, most, calls.most.Load())
		})
	}
}

// busyStage is a stage whose only slot is taken by a call that is held.
func busyStage(t *testing.T) *stage {
	t.Helper()
	s := newStage(t, func(d *activities.Dependencies) {
		d.Concurrency = map[string]int{"fake": 1}
		d.Endpoints = quick{}
	})
	return s
}

// quick is an endpoint whose calls have a short deadline.
type quick struct{}

func (quick) Endpoint(ctx context.Context, name string) (activities.Resolved, error) {
	r, err := anyEndpoint{}.Endpoint(ctx, name)
	r.Timeout = time.Millisecond
	return r, err
}

// TestACallThatGetsNoSlotAsksNobody and gives up while there is time for it, when
// its time or its worker ends; it may wait on in another attempt.
func TestACallThatGetsNoSlotAsksNobody(t *testing.T) {
	t.Parallel()
	for name, stopping := range map[string]bool{"no time left": false, "the worker stops": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := busyStage(t)
			s.model.outcomes = []provider.Outcome{answer("ok")}
			s.model.during = func(context.Context) error {
				s.sdk.pose(func(info *activity.Info) {
					info.ActivityID, info.Attempt, info.Deadline = "engineer/1", 1, time.Now().Add(time.Minute)
					if !stopping {
						info.Deadline = time.Now().Add(10*time.Second + 20*time.Millisecond)
					}
				})
				if stopping {
					s.sdk.stop = make(chan struct{})
					close(s.sdk.stop)
				}
				in := task()
				in.Call = 2
				_, err := s.execute(in)
				app, detail := failure(t, err)
				require.Equal(t, string(run.CodeContent), app.Type())
				require.Equal(t, "no_slot", detail.Failure.Class)
				require.False(t, app.NonRetryable())
				require.Zero(t, detail.Charge)
				attempts, err := s.store.Attempts(t.Context(), withCall(2))
				require.NoError(t, err)
				require.Empty(t, attempts, "no row without a request")
				return nil
			}
			_, err := s.execute(task())
			require.NoError(t, err)
			require.Len(t, s.model.asked, 1)

			// The slot came back.
			s.model.during, s.sdk.stop = nil, nil
			s.model.outcomes = []provider.Outcome{answer("ok")}
			in := task()
			in.Call = 3
			_, err = s.execute(in)
			require.NoError(t, err)
		})
	}
}
