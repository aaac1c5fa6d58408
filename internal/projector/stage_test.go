package projector_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/grpc"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const patience = time.Minute

// stage is a namespace of the real server.
type stage struct {
	t         *testing.T
	namespace string
	client    client.Client
	runs      *runs.Client
}

func newStage(t *testing.T) *stage {
	t.Helper()
	namespace := testenv.Namespace(t)
	c := testenv.Dial(t, testenv.Temporal(t), namespace)
	return &stage{t: t, namespace: namespace, client: c, runs: runs.New(c, runs.Options{Namespace: namespace})}
}

// work starts a worker that hints to the set. A task called bad fails, and one
// called held runs until it is cancelled.
func (s *stage) work(dirty *projector.Dirty) {
	s.t.Helper()
	c, err := client.DialContext(s.t.Context(), client.Options{
		HostPort: testenv.Temporal(s.t), Namespace: s.namespace, Logger: silent{},
		ConnectionOptions: client.ConnectionOptions{
			DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(dirty.Hints())},
		},
	})
	require.NoError(s.t, err)
	w := worker.New(c, history.DefaultTaskQueue, worker.Options{})
	w.RegisterWorkflowWithOptions(workflows.New(workflows.DevTiming(), nil).Run,
		workflow.RegisterOptions{Name: history.WorkflowType})
	w.RegisterActivityWithOptions(execute, activity.RegisterOptions{Name: history.ActivityExecute})
	w.RegisterActivityWithOptions(resolve, activity.RegisterOptions{Name: history.ActivityPlan})
	require.NoError(s.t, w.Start())
	s.t.Cleanup(func() {
		w.Stop()
		c.Close()
	})
}

func execute(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
	switch in.TaskID {
	case "held":
		beat := time.NewTicker(20 * time.Millisecond)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return history.TaskResult{}, temporal.NewCanceledError()
			case <-beat.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	case "bad":
		return history.TaskResult{}, temporal.NewNonRetryableApplicationError("refused", string(run.CodeAuth), nil,
			history.FailureDetail{Failure: run.Failure{Code: run.CodeAuth, Message: "refused"}})
	}
	tokens := int64(10)
	return history.TaskResult{
		Executor: "provider:demo:echo", Provider: "demo", Model: "echo",
		Output: content.Of("answer of " + in.TaskID).Ref(), Usage: run.Usage{InputTokens: &tokens},
	}, nil
}

func resolve(context.Context, history.RunInput) (history.PlanResult, error) {
	return history.PlanResult{TenantID: "default", PrincipalID: "alice", Plan: planOf("one")}, nil
}

// planOf is a plan in which each task needs the one before it. Its texts travel by
// reference, as large ones do.
func planOf(ids ...string) run.Plan {
	plan := run.Plan{Chain: run.ChainRef{Name: "test"}, PromptFormat: 1}
	for i, id := range ids {
		plan.Specialists = append(plan.Specialists, run.PinnedSpecialist{
			SpecialistRef: run.SpecialistRef{Name: id}, Prompt: content.Of("You are the " + id + ".").Ref(),
		})
		task := run.PlannedTask{ID: id, Specialist: id, Backend: run.BackendProvider}
		task.Provider, task.Model = "demo", "echo"
		if i > 0 {
			task.Needs = []string{ids[i-1]}
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

func (s *stage) start(ids ...string) string {
	s.t.Helper()
	plan := planOf(ids...)
	started, err := s.runs.Start(s.t.Context(), runs.Start{Input: history.RunInput{
		TenantID: "default", PrincipalID: "alice", Request: content.Of("please"), Chain: "test", Plan: &plan,
	}})
	require.NoError(s.t, err)
	return started.RunID
}

// until follows a run until its record is as wanted.
func (s *stage) until(runID, what string, ok func(run.Record) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	reached := false
	err := s.runs.Follow(ctx, "default", runID, func(f history.Folded) (bool, error) {
		reached = ok(f.Record)
		return !reached, nil
	})
	require.NoError(s.t, err, "waiting until %s", what)
	require.True(s.t, reached, "the run ended without: %s", what)
}

func (s *stage) finished(runID string) {
	s.t.Helper()
	s.until(runID, "it has ended", func(r run.Record) bool { return r.FinishedAt != nil })
}

func (s *stage) held(runID string) {
	s.t.Helper()
	s.until(runID, "a task is held", func(r run.Record) bool {
		task := r.TaskByID("held")
		return task != nil && task.Status == run.TaskRunning
	})
}

// listed waits until visibility, which comes later, lists as many runs.
func (s *stage) listed(closed, open int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "visibility lists the runs", func() error {
		gotClosed, gotOpen := 0, 0
		if err := s.runs.ClosedBetween(s.t.Context(), time.Time{}, time.Now(), func(page []runs.Listed) error {
			gotClosed += len(page)
			return nil
		}); err != nil {
			return err
		}
		if err := s.runs.OpenRuns(s.t.Context(), func(page []runs.Listed) error {
			gotOpen += len(page)
			return nil
		}); err != nil {
			return err
		}
		if gotClosed != closed || gotOpen != open {
			return fmt.Errorf("%d closed and %d open, not %d and %d", gotClosed, gotOpen, closed, open)
		}
		return nil
	})
}

func (s *stage) history(runID string) []*historypb.HistoryEvent {
	s.t.Helper()
	return testenv.History(s.t, s.client, runID)
}

// silent is a logger for connections whose errors a test looks at itself.
type silent struct{}

// Debug says nothing.
func (silent) Debug(string, ...any) {}

// Info says nothing.
func (silent) Info(string, ...any) {}

// Warn says nothing.
func (silent) Warn(string, ...any) {}

// Error says nothing.
func (silent) Error(string, ...any) {}
