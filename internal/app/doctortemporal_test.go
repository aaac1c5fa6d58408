package app_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

const patience = 30 * time.Second

// useTemporal points at a namespace of the real server.
func (s *surroundings) useTemporal(namespace string) {
	s.t.Helper()
	s.variables["TEMPORAL_ADDRESS"] = testenv.Temporal(s.t)
	s.variables["TEMPORAL_NAMESPACE"] = namespace
}

func TestExamineServerWithoutWorker(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.useTemporal(testenv.Namespace(t))
	report := s.examine(doctor.Options{})
	require.Equal(t, doctor.Healthy, report.Outcome())
	require.Contains(t, finding(t, report, "temporal").Message, s.variables["TEMPORAL_NAMESPACE"])
	require.NotContains(t, finding(t, report, "temporal").Message, "unknown")
	require.Equal(t, "registered", finding(t, report, "search attributes").Message)
	require.Equal(t, "no open run is blocked", finding(t, report, "runs").Message)
	f := finding(t, report, "workers")
	require.Equal(t, doctor.Warning, f.Level)
	require.Equal(t, "nobody polls the task queue tutti, so runs wait", f.Message)
}

func TestExamineWithoutNamespace(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.useTemporal("nobody-made-this")
	report := s.examine(doctor.Options{Fix: true})
	require.Equal(t, doctor.Refused, report.Outcome())
	require.Contains(t, finding(t, report, "temporal").NextStep, "namespace create --namespace nobody-made-this")
}

func TestExamineRegistersSearchAttributes(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	name := bareNamespace(t)
	s.useTemporal(name)
	f := finding(t, s.examine(doctor.Options{}), "search attributes")
	require.Equal(t, doctor.Warning, f.Level)
	require.Contains(t, f.Message, "TuttiTenant, TuttiChain, TuttiBackend")
	require.True(t, f.Fixable)

	require.True(t, finding(t, s.examine(doctor.Options{Fix: true}), "search attributes").Fixed)
	testenv.Eventually(t, patience, "search attributes", func() error {
		missing, err := app.MissingAttributes(t.Context(), testenv.Dial(t, testenv.Temporal(t), name), name)
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("missing %v", missing)
		}
		return err
	})
}

// bareNamespace is a namespace as an operator makes it, without our attributes.
func bareNamespace(t *testing.T) string {
	t.Helper()
	name := strings.ToLower("bare-" + strings.ReplaceAll(t.Name(), "/", "-"))
	c := testenv.Dial(t, testenv.Temporal(t), name)
	_, err := c.WorkflowService().RegisterNamespace(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	require.NoError(t, err)
	testenv.Eventually(t, patience, "the namespace", func() error {
		_, err := app.MissingAttributes(t.Context(), c, name)
		if err == nil {
			_, err = c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: name})
		}
		return err
	})
	return name
}

func TestExamineSeesAWorker(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.useTemporal(testenv.Namespace(t))
	ctx, stop := context.WithCancel(t.Context())
	worked, a := make(chan error, 1), s.open()
	go func() {
		worked <- a.Worker(ctx, app.WorkerOptions{Only: "workflows", Timing: workflows.DevTiming()})
	}()
	defer func() {
		stop()
		require.NoError(t, <-worked)
	}()
	testenv.Eventually(t, patience, "half a worker", func() error {
		f := finding(t, s.examine(doctor.Options{}), "workers")
		if !strings.Contains(f.NextStep, "--only activities") {
			return errors.New(f.Message)
		}
		return nil
	})
}

// A run whose code panics is named to its tenant and to nobody else.
func TestExamineNamesBlockedRuns(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	namespace := testenv.Namespace(t)
	s.useTemporal(namespace)
	c := testenv.Dial(t, testenv.Temporal(t), namespace)
	w := worker.New(c, history.DefaultTaskQueue, worker.Options{})
	w.RegisterWorkflowWithOptions(func(workflow.Context, history.RunInput) error { panic("a mistake") },
		workflow.RegisterOptions{Name: history.WorkflowType})
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	for tenant, id := range map[string]string{"default": "run-ours", "other": "run-theirs"} {
		_, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: history.DefaultTaskQueue},
			history.WorkflowType, history.RunInput{TenantID: tenant})
		require.NoError(t, err)
	}
	blocked := func(tenant string) (names string) {
		s.variables["TUTTI_TENANT"] = tenant
		for _, f := range findings(s.examine(doctor.Options{}), "runs") {
			names += f.Message + "\n"
		}
		return names
	}
	for tenant, names := range map[string][2]string{"default": {"run-ours", "run-theirs"}, "other": {"run-theirs", "run-ours"}} {
		testenv.Eventually(t, patience, "a blocked run of "+tenant, func() error {
			text := blocked(tenant)
			require.NotContains(t, text, names[1])
			if !strings.Contains(text, names[0]+" is blocked") {
				return errors.New(text)
			}
			return nil
		})
	}
}
