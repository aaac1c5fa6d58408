package activities_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

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
}

func newStage(t *testing.T) *stage {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	s := &stage{t: t, env: suite.NewTestActivityEnvironment(), model: &scripted{}}
	s.store = &outage{Store: memory.New()}
	activities.New(activities.Dependencies{
		Store: s.store, Caller: s.model, Endpoints: anyEndpoint{},
		Jitter: func() float64 { return 0.5 },
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}).Register(s.env)
	return s
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

// scripted is a caller that answers from a list of outcomes.
type scripted struct {
	mu       sync.Mutex
	outcomes []provider.Outcome
	err      error
	asked    []provider.Request
}

func (s *scripted) Call(_ context.Context, _ provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, req)
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

var errOutage = errors.New("the store is down")

// outage is a store that can be taken away.
type outage struct {
	*memory.Store
	down bool
}

func (o *outage) fail() error {
	if o.down {
		return errOutage
	}
	return nil
}

func (o *outage) LoadAnswer(ctx context.Context, key ledger.CallKey, sha string) (ledger.Answer, error) {
	if err := o.fail(); err != nil {
		return ledger.Answer{}, err
	}
	return o.Store.LoadAnswer(ctx, key, sha)
}

func (o *outage) SaveAnswer(ctx context.Context, a ledger.Answer) (ledger.Answer, error) {
	if err := o.fail(); err != nil {
		return ledger.Answer{}, err
	}
	return o.Store.SaveAnswer(ctx, a)
}

func (o *outage) GetContent(ctx context.Context, tenant, sha string) ([]byte, error) {
	if err := o.fail(); err != nil {
		return nil, err
	}
	return o.Store.GetContent(ctx, tenant, sha)
}

func (o *outage) PutContent(ctx context.Context, tenant, sha string, text []byte) error {
	if err := o.fail(); err != nil {
		return err
	}
	return o.Store.PutContent(ctx, tenant, sha, text)
}
