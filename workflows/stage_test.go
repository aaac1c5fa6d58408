package workflows_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const patience = 90 * time.Second

// stage is a namespace of the real server with a worker that plays a script.
type stage struct {
	t      *testing.T
	client client.Client
	runs   *runs.Client
	script *script
	queue  string
	// namespace is the stage's own.
	namespace string
	after     sync.WaitGroup
}

// later does something that waits for the workflow, while the test goes on.
func (s *stage) later(do func()) {
	s.after.Add(1)
	go func() {
		defer s.after.Done()
		do()
	}()
}

func (s *stage) waitLater() { s.after.Wait() }

func newStage(t *testing.T) *stage {
	t.Helper()
	namespace := testenv.Namespace(t)
	c := testenv.Dial(t, testenv.Temporal(t), namespace)
	s := &stage{t: t, client: c, script: newScript(), queue: history.DefaultTaskQueue, namespace: namespace}
	s.runs = runs.New(c, runs.Options{Namespace: namespace})
	return s
}

// work starts a worker and returns the function that stops it.
func (s *stage) work() (stop func()) {
	s.t.Helper()
	w := worker.New(s.client, s.queue, worker.Options{})
	register(w, nil)
	s.script.register(w)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
	return w.Stop
}

// testTiming is short where a test would have to wait for it.
func testTiming() workflows.Timing {
	return workflows.Timing{Heartbeat: 3 * time.Second, Queue: time.Second}
}

func register(w worker.WorkflowRegistry, hook workflows.Hook) {
	w.RegisterWorkflowWithOptions(workflows.New(testTiming(), hook).Run,
		workflow.RegisterOptions{Name: history.WorkflowType})
}

func (s *stage) start(plan run.Plan) string {
	s.t.Helper()
	started, err := s.runs.Start(s.t.Context(), runs.Start{Input: history.RunInput{
		TenantID: "default", PrincipalID: "alice", Request: content.Of("please build it"),
		Chain: plan.Chain.Name, Plan: &plan,
	}})
	require.NoError(s.t, err)
	require.Empty(s.t, started.Warnings)
	return started.RunID
}

// until follows a run until the record is as wanted.
func (s *stage) until(runID, what string, ok func(run.Record) bool) run.Record {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	var last run.Record
	err := s.runs.Follow(ctx, "default", runID, func(f history.Folded) (bool, error) {
		last = f.Record
		return !ok(last), nil
	})
	require.NoError(s.t, err, "waiting until %s; the run is %s", what, last.Status)
	require.True(s.t, ok(last), "the run ended as %s without: %s", last.Status, what)
	return last
}

func (s *stage) finished(runID string) run.Record {
	s.t.Helper()
	return s.until(runID, "it has ended", func(r run.Record) bool { return r.FinishedAt != nil })
}

func (s *stage) history(runID string) []*historypb.HistoryEvent {
	s.t.Helper()
	return testenv.History(s.t, s.client, runID)
}

// query asks the workflow itself. A question may be handed to a poller that has gone,
// and is then asked again.
func (s *stage) query(runID string) run.Record {
	s.t.Helper()
	var record run.Record
	testenv.Eventually(s.t, patience, "the workflow answers", func() error {
		value, err := s.client.QueryWorkflow(s.t.Context(), runID, "", history.QueryRecord)
		if err != nil {
			return err
		}
		return value.Get(&record)
	})
	return record
}

// requireAgreement proves for one run that the workflow's own record is the fold.
func (s *stage) requireAgreement(runID string) {
	s.t.Helper()
	events := s.history(runID)
	folded, err := history.Fold(runID, s.query(runID).TemporalRunID, events, converter.GetDefaultDataConverter())
	require.NoError(s.t, err)
	require.Empty(s.t, folded.Unknown)
	requireSame(s.t, s.query(runID), folded.Record)
}

// requireSame compares two records apart from what only a history knows.
func requireSame(t testing.TB, workflow, folded run.Record) {
	t.Helper()
	if e := folded.Error; e != nil && (e.Code == run.CodeRunTerminated || e.Code == run.CodeRunTimedOut) {
		// The workflow never learns of an end that the server wrote.
		require.NoError(t, workflow.Apply(run.Ended{Error: *e}, time.Time{}))
	}
	a, b := timeless(t, workflow), timeless(t, folded)
	require.Empty(t, cmp.Diff(a, b), "the workflow's record (-) and the fold (+) differ")
}

func timeless(t testing.TB, r run.Record) string {
	t.Helper()
	r = r.Bounded()
	r.CreatedAt, r.StartedAt, r.UpdatedAt, r.FinishedAt, r.LastEventID = nil, nil, nil, nil, 0
	for i := range r.Tasks {
		r.Tasks[i].StartedAt, r.Tasks[i].FinishedAt, r.Tasks[i].ResumeAt = nil, nil, nil
		if host := r.Tasks[i].Host; host != nil {
			copied := *host
			copied.AwaitingSince = nil
			r.Tasks[i].Host = &copied
		}
	}
	raw, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(raw)
}

func kinds(events []*historypb.HistoryEvent) map[string]int {
	counts := make(map[string]int)
	for _, e := range events {
		counts[e.GetEventType().String()]++
	}
	return counts
}

func statuses(r run.Record) string {
	var out string
	for _, t := range r.Tasks {
		out += fmt.Sprintf("%s=%s ", t.ID, t.Status)
	}
	return out
}

// workApart starts the workflow worker and the activity worker as two, so that a
// test can hold the one while the other goes on.
func (s *stage) workApart() (stopWorkflows, stopActivities func()) {
	s.t.Helper()
	w := worker.New(s.client, s.queue, worker.Options{DisableWorkflowWorker: true})
	s.script.register(w)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
	return s.workflowsOnly(), w.Stop
}

func (s *stage) workflowsOnly() (stop func()) {
	s.t.Helper()
	w := worker.New(s.client, s.queue, worker.Options{LocalActivityWorkerOnly: true})
	register(w, nil)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
	return w.Stop
}

// untilEvent waits until the history has n events of the type.
func (s *stage) untilEvent(runID, eventType string, n int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, eventType, func() error {
		if got := kinds(s.history(runID))[eventType]; got < n {
			return fmt.Errorf("%d of %d %s", got, n, eventType)
		}
		return nil
	})
}
