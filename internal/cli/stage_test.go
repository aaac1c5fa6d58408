package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const patience = 30 * time.Second

// stage is a namespace of the real server and a user who has a home and a data
// directory there. A worker plays a script in the place of real activities.
type stage struct {
	t      *testing.T
	client client.Client
	runs   *runs.Client
	script *script
	home   string
	env    map[string]string
	now    func() time.Time
	// executable is the real program, for the commands that start it.
	executable string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	namespace := testenv.Namespace(t)
	c := testenv.Dial(t, testenv.Temporal(t), namespace)
	home := t.TempDir()
	return &stage{
		t: t, client: c, runs: runs.New(c, runs.Options{Namespace: namespace}), script: newScript(), home: home,
		env: map[string]string{
			"TEMPORAL_ADDRESS": testenv.Temporal(t), "TEMPORAL_NAMESPACE": namespace,
			"TEMPORAL_CONFIG_FILE": os.DevNull, "TUTTI_DATA_DIR": filepath.Join(home, "data"),
		},
		now: func() time.Time { return time.Now().UTC() },
	}
}

func (s *stage) dataDir() string { return s.env["TUTTI_DATA_DIR"] }

// with is the same stage with another variable.
func (s *stage) with(name, value string) *stage {
	other := *s
	other.env = maps.Clone(s.env)
	other.env[name] = value
	return &other
}

// said is what a command printed and how it ended.
type said struct {
	code        int
	out, errors string
}

// tutti runs a command to its end.
func (s *stage) tutti(args ...string) said {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	return s.tuttiUntil(ctx, nil, args...)
}

// tuttiUntil runs a command until it ends or the user's patience does. What it
// says on standard error goes to see as well.
func (s *stage) tuttiUntil(ctx context.Context, see func(line string), args ...string) said {
	s.t.Helper()
	var out, errors bytes.Buffer
	p := Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &watched{Buffer: &errors, see: see},
		WorkDir: s.home, HomeDir: s.home, User: "alice", Now: s.now, Executable: s.executable,
		Lookup: func(name string) (string, bool) {
			value, ok := s.env[name]
			return value, ok
		},
		Interrupts: func(parent context.Context) (context.Context, <-chan struct{}, context.CancelFunc) {
			return parent, make(chan struct{}), func() {}
		},
	}
	for name, value := range s.env {
		p.Environ = append(p.Environ, name+"="+value)
	}
	code := execute(ctx, p)
	return said{code: code, out: out.String(), errors: errors.String()}
}

// watched is a stream that somebody looks at.
type watched struct {
	*bytes.Buffer
	see func(string)
}

func (w *watched) Write(p []byte) (int, error) {
	if w.see != nil {
		w.see(string(p))
	}
	return w.Buffer.Write(p)
}

// ok runs a command that has to succeed and returns what it printed.
func (s *stage) ok(args ...string) string {
	s.t.Helper()
	got := s.tutti(args...)
	require.Zero(s.t, got.code, "%v: %s", args, got.errors)
	return got.out
}

// refused runs a command that has to fail with this code, print no result and
// say why in one line.
func (s *stage) refused(code int, args ...string) string {
	s.t.Helper()
	got := s.tutti(args...)
	require.Equal(s.t, code, got.code, "%v: %s", args, got.errors)
	require.Empty(s.t, got.out, "%v", args)
	lines := strings.Split(strings.TrimSpace(got.errors), "\n")
	require.True(s.t, strings.HasPrefix(lines[len(lines)-1], "tutti: "), "%v: %s", args, got.errors)
	return got.errors
}

// decoded runs a command that prints JSON.
func decoded[T any](s *stage, args ...string) T {
	s.t.Helper()
	var value T
	require.NoError(s.t, json.Unmarshal([]byte(s.ok(args...)), &value))
	return value
}

// work starts a worker that plays the script.
func (s *stage) work() {
	s.t.Helper()
	s.workWith(workflows.New(workflows.DevTiming(), nil).Run)
}

func (s *stage) workWith(run any) {
	s.t.Helper()
	w := worker.New(s.client, history.DefaultTaskQueue, worker.Options{})
	w.RegisterWorkflowWithOptions(run, workflow.RegisterOptions{Name: history.WorkflowType})
	s.script.register(w)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
}

// start starts a run of the tenant default and remembers it as `submit` does.
func (s *stage) start(plan run.Plan) string {
	s.t.Helper()
	return s.startFor("default", plan)
}

func (s *stage) startFor(tenant string, plan run.Plan) string {
	s.t.Helper()
	started, err := s.runs.Start(s.t.Context(), runs.Start{Input: history.RunInput{
		TenantID: tenant, PrincipalID: "alice", Request: content.Of("please build it"),
		Chain: plan.Chain.Name, Plan: &plan,
	}})
	require.NoError(s.t, err)
	require.NoError(s.t, rememberRun(s.dataDir(), started.RunID))
	return started.RunID
}

// finished waits for the end of a run.
func (s *stage) finished(runID string) string {
	s.t.Helper()
	s.until(runID, "it has ended", func(r *run.Record) bool { return r.FinishedAt != nil })
	return runID
}

func (s *stage) until(runID, what string, ok func(*run.Record) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	reached := false
	err := s.runs.Follow(ctx, "default", runID, func(f history.Folded) (bool, error) {
		reached = ok(&f.Record)
		return !reached, nil
	})
	require.NoError(s.t, err, "waiting until %s", what)
	require.True(s.t, reached, "the run ended without: %s", what)
}

// mirror puts runs into the store that this user's commands read.
func (s *stage) mirror(runIDs ...string) {
	s.t.Helper()
	kept := s.store()
	for _, id := range runIDs {
		whole, err := s.runs.Whole(s.t.Context(), id)
		require.NoError(s.t, err)
		folded, err := s.runs.Fold(whole)
		require.NoError(s.t, err)
		saved, err := kept.SaveRun(s.t.Context(), store.Snapshot{
			Record: folded.Record, Events: folded.Events, Builder: history.Builder, Current: true,
		})
		require.NoError(s.t, err)
		require.True(s.t, saved)
	}
}

func (s *stage) store() *filesystem.Store {
	s.t.Helper()
	kept, err := filesystem.Open(filepath.Join(s.dataDir(), "store"))
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = kept.Close() })
	return kept
}

// reset makes Temporal begin a run again from its first workflow task.
func reset(s *stage, runID string) {
	s.t.Helper()
	_, err := s.client.ResetWorkflowExecution(s.t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: s.env["TEMPORAL_NAMESPACE"], WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: runID},
		Reason: "a test", WorkflowTaskFinishEventId: 4, RequestId: runID,
	})
	require.NoError(s.t, err)
}
