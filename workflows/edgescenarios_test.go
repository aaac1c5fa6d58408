package workflows_test

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// edgeScenarios are there for what the others do not reach in the workflow's
// code, and for what Temporal may do with a run.
func edgeScenarios() []scenario {
	return []scenario{
		{name: "long-upstream", play: playLongUpstream},
		{name: "skipped-upstream", play: func(s *stage) string {
			s.script.fail("architect", run.CodeAuth)
			s.work()
			plan := listPlan(run.BackendProvider, "architect", "engineer", "writer")
			plan.Tasks[2].Needs, plan.Tasks[2].Continue = []string{"engineer"}, true
			plan.Tasks[2].Limits = run.Limits{TimeoutMS: 30_000, MaxAttempts: 2, InitialBackoffMS: 100, MaxBackoffMS: 1000}
			return s.start(plan)
		}},
		{name: "cancelled-while-parked", play: func(s *stage) string {
			s.script.once["architect"] = run.Failure{Code: run.CodeContent, Message: "as the script says"}
			s.work()
			id := s.start(listPlan(run.BackendProvider, "architect", "engineer"))
			s.until(id, "architect is parked", taskIs("architect", run.TaskParked))
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			return id
		}},
		{name: "host-claim-held", play: func(s *stage) string {
			s.work()
			id := s.start(listPlan(run.BackendHost, "architect"))
			s.until(id, "architect awaits", awaits("architect"))
			_, err := s.claim(id, run.ClaimRequest{Holder: "alice/one"})
			require.NoError(s.t, err)
			_, err = s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "bob/two"})
			requireCode(s.t, run.CodeHostClaimHeld, err)
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			return id
		}},
		{name: "host-store-away", play: func(s *stage) string {
			s.script.storeFails = 1
			s.work()
			id := s.start(listPlan(run.BackendHost, "architect"))
			s.until(id, "architect awaits", awaits("architect"))
			s.signal(id, done("architect", strings.Repeat("long result\n", 1000)))
			return id
		}, slow: true},
		{name: "host-race-timeout-with-update", play: playTimeoutWithUpdate, race: true},
		{name: "two-builds", play: playTwoBuilds},
	}
}

// playLongUpstream has more upstream text than an activity's input carries, and a
// final message that is longer than the result repeats.
func playLongUpstream(s *stage) string {
	ids := []string{"a", "b", "c", "d", "e"}
	for _, id := range ids {
		text := content.Of(strings.Repeat("the long answer of "+id+"\n", 340))
		text.Kept = true
		s.script.outputs[id] = text
	}
	s.script.outputs["sum"] = content.Of(strings.Repeat("in sum\n", 200))
	s.work()
	plan := listPlan(run.BackendProvider, append(ids, "sum")...)
	for i := range ids {
		plan.Tasks[i].Needs = nil
	}
	return s.start(plan)
}

// playTimeoutWithUpdate has a host's result come after its time, in the same
// workflow task: the handler refuses what the validator had let pass.
func playTimeoutWithUpdate(s *stage) string {
	stopWorkflows, _ := s.workApart()
	plan := listPlan(run.BackendHost, "architect")
	plan.HostTimeoutMS = time.Second.Milliseconds()
	id := s.start(plan)
	s.until(id, "architect awaits", awaits("architect"))
	stopWorkflows()
	s.untilEvent(id, "TimerFired", 1)
	s.later(func() { _, _ = s.submit(id, done("architect", "too late")) })
	s.workflowsOnly()
	s.waitLater()
	return id
}

// playTwoBuilds is a run that begins under one build of the workers and ends under
// another, to which it is pinned in the end.
func playTwoBuilds(s *stage) string {
	stopOld := s.workAs("1")
	s.makeCurrent("1")
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	s.workAs("2")
	s.makeCurrent("2")
	stopOld()
	_, err := s.submit(id, done("architect", "the design"))
	require.NoError(s.t, err)
	s.until(id, "engineer awaits", awaits("engineer"))
	_, err = s.client.UpdateWorkflowExecutionOptions(s.t.Context(), client.UpdateWorkflowExecutionOptionsRequest{
		WorkflowId: id,
		WorkflowExecutionOptionsChanges: client.WorkflowExecutionOptionsChanges{
			VersioningOverride: &client.VersioningOverrideChange{Value: &client.PinnedVersioningOverride{Version: version("2")}},
		},
	})
	require.NoError(s.t, err)
	_, err = s.submit(id, done("engineer", "the code"))
	require.NoError(s.t, err)
	return id
}

func version(build string) worker.WorkerDeploymentVersion {
	return worker.WorkerDeploymentVersion{DeploymentName: "tutti", BuildID: build}
}

// workAs starts a worker of one build and returns the function that stops it.
func (s *stage) workAs(build string) (stop func()) {
	s.t.Helper()
	w := worker.New(s.client, s.queue, worker.Options{DeploymentOptions: worker.DeploymentOptions{
		UseVersioning: true, Version: version(build), DefaultVersioningBehavior: workflow.VersioningBehaviorAutoUpgrade,
	}})
	register(w, nil)
	s.script.register(w)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
	return w.Stop
}

// makeCurrent waits until Temporal knows both queues of the build.
func (s *stage) makeCurrent(build string) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "the build is current", func() error {
		_, err := s.client.WorkerDeploymentClient().GetHandle("tutti").SetCurrentVersion(s.t.Context(),
			client.WorkerDeploymentSetCurrentVersionOptions{BuildID: build})
		return err
	})
}
