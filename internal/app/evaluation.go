package app

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/demo"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store/memory"
	"github.com/tutti-dev/tutti/workflows"
)

// Evaluated is a run of the evaluation composition: its record, and the events
// that made it.
type Evaluated struct {
	Record run.Record
	Events []run.Stamped
}

// evaluationPause is how long nothing may happen before an evaluation counts as
// stuck, which the environment ends with a panic. Its own 3 s are too few on a
// machine that is busy.
const evaluationPause = time.Minute

// Evaluate runs a wish without Temporal, without a database and without any
// network: the same workflow and activities in the SDK's time-skipping test
// environment, over the memory store and the demo provider. Nothing survives it.
// That environment has no history, so the record comes from the workflow's hook.
func (a *App) Evaluate(ctx context.Context, w plan.Wish) (Evaluated, error) {
	made, err := a.Make(ctx, w)
	if err != nil {
		return Evaluated{}, err
	}
	kept := memory.New()
	for digest, text := range made.Keep {
		if err := kept.PutContent(ctx, made.Input.TenantID, digest, []byte(text)); err != nil {
			return Evaluated{}, fmt.Errorf("keep a text of the run: %w", err)
		}
	}
	var out Evaluated
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(a.env.Log))
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(evaluationPause)
	env.SetStartWorkflowOptions(client.StartWorkflowOptions{ID: runs.NewRunID(), TaskQueue: a.Config.TaskQueue})
	env.RegisterWorkflowWithOptions(
		workflows.New(workflows.DefaultTiming(), func(r *run.Record, applied []run.Stamped) {
			out.Record, out.Events = *r, append(out.Events, applied...)
		}).Run, workflow.RegisterOptions{Name: history.WorkflowType})
	activities.New(activities.Dependencies{
		Store: kept, Caller: provider.ByDialect{provider.DialectDemo: demo.New()},
		Endpoints: endpoints{definitions: a.Providers(), lookup: a.env.Lookup},
		Planner:   planner{app: a}, Log: a.env.Log,
	}).Register(env)
	env.ExecuteWorkflow(history.WorkflowType, made.Input)
	if !env.IsWorkflowCompleted() {
		return out, fmt.Errorf("the evaluation did not end: %w", env.GetWorkflowError())
	}
	return out, nil
}
