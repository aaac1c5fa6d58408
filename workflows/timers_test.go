package workflows_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// skipping is the SDK's environment that skips time, with a host task whose result
// the store does not take at first.
type skipping struct {
	*testsuite.TestWorkflowEnvironment
	t         *testing.T
	cancelled int // timers
}

func newSkipping(t *testing.T, away int) *skipping {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	s := &skipping{TestWorkflowEnvironment: suite.NewTestWorkflowEnvironment(), t: t}
	register(s, nil)
	script := newScript()
	s.RegisterActivityWithOptions(script.prompt, activity.RegisterOptions{Name: history.ActivityPrompt})
	s.RegisterActivityWithOptions(func(_ context.Context, in history.StoreInput) (history.StoreResult, error) {
		if away--; away >= 0 {
			return history.StoreResult{}, failure(run.Failure{Code: run.CodeContent, Message: "away"})
		}
		return history.StoreResult{Text: content.Of(in.Text).Ref()}, nil
	}, activity.RegisterOptions{Name: history.ActivityStore})
	s.SetOnTimerCanceledListener(func(string) { s.cancelled++ })
	return s
}

func (s *skipping) play(timeout time.Duration) run.Record {
	s.t.Helper()
	plan := listPlan(run.BackendHost, "architect")
	plan.HostTimeoutMS = timeout.Milliseconds()
	s.ExecuteWorkflow(history.WorkflowType, history.RunInput{
		TenantID: "default", PrincipalID: "alice", Request: content.Of("x"), Chain: "architect", Plan: &plan,
	})
	require.True(s.t, s.IsWorkflowCompleted())
	require.NoError(s.t, s.GetWorkflowError())
	value, err := s.QueryWorkflow(history.QueryRecord)
	require.NoError(s.t, err)
	var record run.Record
	require.NoError(s.t, value.Get(&record))
	return record
}

func longResult() history.HostResult {
	return history.HostResult{TaskID: "architect", Outcome: run.OutcomeDone, Output: strings.Repeat("0123456789", 1000)}
}

func (s *skipping) submit(updateID string) {
	s.UpdateWorkflow(history.UpdateSubmit, updateID, &testsuite.TestUpdateCallback{
		OnAccept: func() {}, OnReject: func(err error) { require.NoError(s.t, err) },
		OnComplete: func(_ any, err error) { require.NoError(s.t, err) },
	}, longResult())
}

// The same result comes again while the first waits for the store: the wait goes on.
func TestADuplicateDoesNotEndTheWaitForTheStore(t *testing.T) {
	t.Parallel()
	s := newSkipping(t, 2)
	s.RegisterDelayedCallback(func() { s.submit("first") }, time.Second)
	s.RegisterDelayedCallback(func() { s.submit("again") }, 5*time.Second)
	require.Equal(t, run.Completed, s.play(0).Status)
	require.Zero(t, s.cancelled)
}

// A result ends the wait for a host by whatever door it comes. A timer that ran on
// would be taken for the one that waits for the store.
func TestAResultEndsTheTimerOfTheHost(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(*skipping){
		"update": func(s *skipping) { s.submit("first") },
		"signal": func(s *skipping) { s.SignalWorkflow(history.SignalResult, longResult()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSkipping(t, 3)
			s.RegisterDelayedCallback(func() { send(s) }, time.Second)
			require.Equal(t, run.Completed, s.play(40*time.Second).Status)
			require.Equal(t, 1, s.cancelled)
		})
	}
}
