package testenv

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// startRun starts a run that no worker serves, with one of tutti's search attributes.
func startRun(t *testing.T, c client.Client, id string) {
	t.Helper()
	tenant := temporal.NewSearchAttributeKeyKeyword("TuttiTenant").ValueSet("testenv")
	_, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: id, TaskQueue: "testenv", TypedSearchAttributes: temporal.NewSearchAttributes(tenant),
	}, "testenv")
	require.NoError(t, err)
}

// waitForRuns waits until the namespace lists that many runs of the tenant.
func waitForRuns(t *testing.T, c client.Client, namespace string, want int64) {
	t.Helper()
	Eventually(t, soon, "the runs are listed", func() error {
		answer, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: namespace, Query: `TuttiTenant = "testenv"`,
		})
		if err != nil {
			return err
		}
		if answer.GetCount() != want {
			return errNotYet
		}
		return nil
	})
}

func TestEveryTestHasANamespaceOfItsOwn(t *testing.T) {
	t.Parallel()
	one, two := Namespace(t), Namespace(t)
	first, second := Dial(t, Temporal(t), one), Dial(t, Temporal(t), two)

	startRun(t, first, "run-of-one")
	waitForRuns(t, first, one, 1)
	waitForRuns(t, second, two, 0)
	_, err := second.DescribeWorkflow(t.Context(), "run-of-one", "")
	require.ErrorContains(t, err, "not found")
}

func TestANewNamespaceServesAWorkerAtOnce(t *testing.T) {
	t.Parallel()
	c := Dial(t, Temporal(t), Namespace(t))
	w := worker.New(c, "testenv", worker.Options{})
	w.RegisterWorkflowWithOptions(func(workflow.Context) (string, error) { return "done", nil },
		workflow.RegisterOptions{Name: "testenv"})
	require.NoError(t, w.Start())
	defer w.Stop()

	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "testenv"}, "testenv")
	require.NoError(t, err)
	var result string
	require.NoError(t, run.Get(t.Context(), &result))
	require.Equal(t, "done", result)
}

func TestPrivateTemporalKeepsItsRunsInItsFile(t *testing.T) {
	t.Parallel()
	server := StartTemporal(t, filepath.Join(t.TempDir(), "temporal.db"))
	namespace := server.Namespace()
	c := Dial(t, server.HostPort(), namespace)
	startRun(t, c, "run-before")
	waitForRuns(t, c, namespace, 1)

	server.Stop()
	server.Start()
	waitForRuns(t, c, namespace, 1)

	server.Kill9()
	server.Start()
	startRun(t, c, "run-after")
	waitForRuns(t, c, namespace, 2)
}
