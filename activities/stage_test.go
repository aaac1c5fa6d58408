package activities_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

// stage runs activities in the SDK's activity environment over the memory store.
type stage struct {
	t     *testing.T
	env   *testsuite.TestActivityEnvironment
	store *outage
	model *scripted
	sdk   *posed
	logs  *bytes.Buffer
}

func newStage(t *testing.T, adjust ...func(*activities.Dependencies)) *stage {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	s := &stage{t: t, env: suite.NewTestActivityEnvironment(), model: &scripted{}, sdk: &posed{}, logs: &bytes.Buffer{}}
	s.store = &outage{Store: memory.New()}
	s.env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{s.sdk}})
	d := activities.Dependencies{
		Store: s.store, Caller: s.model, Endpoints: anyEndpoint{}, Queues: pollers(3),
		Jitter:   func() float64 { return 0.5 },
		Now:      func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Patience: 30 * time.Millisecond, Look: time.Millisecond,
		Log: slog.New(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, change := range adjust {
		change(&d)
	}
	activities.New(d).Register(s.env)
	return s
}

// attempt poses as Temporal's n-th attempt of an activity.
func (s *stage) attempt(activityID string, n int32) *stage {
	s.sdk.pose(func(info *activity.Info) { info.ActivityID, info.Attempt = activityID, n })
	return s
}

func (s *stage) rows() []ledger.Attempt {
	s.t.Helper()
	rows, err := s.store.Store.Attempts(s.t.Context(), key())
	require.NoError(s.t, err)
	return rows
}

func (s *stage) states() (states []ledger.State) {
	s.t.Helper()
	for _, row := range s.rows() {
		states = append(states, row.State)
	}
	return states
}

func (s *stage) execute(in history.TaskInput) (history.TaskResult, error) {
	s.t.Helper()
	value, err := s.env.ExecuteActivity(history.ActivityExecute, in)
	if err != nil {
		return history.TaskResult{}, err
	}
	var result history.TaskResult
	require.NoError(s.t, value.Get(&result))
	return result, nil
}

// failure returns the error that left the activity: it has to be the outermost.
func failure(t *testing.T, err error) (*temporal.ApplicationError, history.FailureDetail) {
	t.Helper()
	require.Error(t, err)
	var activity *temporal.ActivityError
	require.ErrorAs(t, err, &activity)
	app, ok := errors.Unwrap(activity).(*temporal.ApplicationError) //nolint:errorlint // outermost is the point
	require.True(t, ok, "the outermost error is %T", errors.Unwrap(activity))
	return app, history.DetailOf(err)
}

func task() history.TaskInput {
	return history.TaskInput{
		TenantID: "acme", RunID: "run-1", TaskID: "engineer", Call: 1, PromptFormat: 1,
		System: content.Of("You are the engineer."), Request: content.Of("build it"),
		ModelChoice: run.ModelChoice{Provider: "fake", Model: "m"},
	}
}

// scripted is a caller that answers from a list of outcomes. What is in during
// happens while the question is under way.
type scripted struct {
	mu       sync.Mutex
	outcomes []provider.Outcome
	err      error
	during   func(context.Context) error
	asked    []provider.Request
}

func (s *scripted) Call(ctx context.Context, _ provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, req)
	if s.during != nil {
		if err := s.during(ctx); err != nil {
			return provider.Outcome{}, err
		}
	}
	if s.err != nil {
		return provider.Outcome{}, s.err
	}
	next := s.outcomes[0]
	s.outcomes = s.outcomes[1:]
	return next, nil
}

func answer(text string) provider.Outcome {
	return provider.Answer(text, "m-resolved", provider.Usage{InputTokens: provider.Count(7), OutputTokens: provider.Count(3)})
}

type anyEndpoint struct{}

func (anyEndpoint) Endpoint(_ context.Context, name string) (activities.Resolved, error) {
	if name == "keyless" {
		return activities.Resolved{}, &activities.Refusal{Code: "PROVIDER_KEY_MISSING", Message: "no key", Remediation: "set KEY"}
	}
	return activities.Resolved{Endpoint: provider.Endpoint{Name: name}, KeySource: "FAKE_KEY"}, nil
}

type pollers int

func (p pollers) ActivityPollers(_ context.Context, queue string) (int, error) {
	if queue == "unknown" {
		return 0, errors.New("no such queue")
	}
	return int(p), nil
}

// otherWorker makes the next attempt on another worker over the same store.
func otherWorker(s *stage, outcome provider.Outcome) error {
	other := newStage(s.t, func(d *activities.Dependencies) { d.Store = s.store })
	other.model.outcomes = []provider.Outcome{outcome}
	_, err := other.attempt("engineer/1", 2).execute(task())
	return err
}

func withCall(n int) ledger.CallKey {
	k := key()
	k.Call = n
	return k
}
