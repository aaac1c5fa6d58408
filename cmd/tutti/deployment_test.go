package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	deploymentpb "go.temporal.io/api/deployment/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// build is the same installation with another build of the workers configured.
func (s *stage) build(id string) *stage {
	other := *s
	other.env = append(slices.Clone(s.env), "TUTTI_DEPLOYMENT_NAME=tutti", "TUTTI_DEPLOYMENT_BUILD_ID="+id)
	return &other
}

// advised runs the command that a worker's second line names.
func (s *stage) advised(w *testenv.Process, pattern string) {
	s.t.Helper()
	line := w.WaitForLine(regexp.MustCompile(pattern+`.* run: temporal (.+)$`), patience)
	s.cli(append(strings.Fields(line[1]), "--yes")...)
}

// examined asks doctor until it says something, and returns the whole report:
// Temporal lists runs and workers a little later than they are there.
func (s *stage) examined(saying string) (report string) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "doctor says: "+saying, func() error {
		if report = s.must("doctor"); !strings.Contains(report, saying) {
			return errNotYet(report)
		}
		return nil
	})
	return report
}

// takenBy returns the builds that completed the workflow tasks of a history, in
// their order, each once.
func takenBy(events []*historypb.HistoryEvent) []string {
	var builds []string
	for _, e := range events {
		if a := e.GetWorkflowTaskCompletedEventAttributes(); a != nil {
			builds = append(builds, a.GetDeploymentVersion().GetBuildId())
		}
	}
	return slices.Compact(builds)
}

// secondBuild is another program from the same code.
func secondBuild(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tutti-2")
	output, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", path, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return path
}

// Issue 6: two builds side by side. What waits under the first goes on under the
// second once that is current: a run that awaits a host, and one whose call was
// lost with the first build's worker.
func TestAWaitingRunGoesOnUnderTheBuildThatIsCurrent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/three.yaml", threeModels)
	first, second := s.build("1"), s.build("2")

	old := first.worker()
	require.Contains(t, old.Output(), "worker polls task queue tutti as build 1 of deployment tutti")
	s.advised(old, "no build of deployment tutti is current")
	waiting := first.host("x", "--chain", "architect -> engineer")
	calling := first.detach("x", "--chain", "three", "--backend", "provider")
	s.called("hold-2", 1)

	o := second.options("worker")
	o.Path = secondBuild(t)
	fresh := testenv.StartProcess(t, o)
	s.advised(fresh, "build 1 of deployment tutti is current")
	old.Kill9()
	require.NoError(t, s.fake.Release(t.Context(), ""))

	s.accepted(waiting, "architect", "the design")
	s.awaits(waiting, 1)
	s.accepted(waiting, "engineer", "the code")
	require.Equal(t, run.Completed, s.finish(waiting).Status)
	record := s.finish(calling)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 1, record.Usage.CallsUncertain, "the call that was lost with the first build is not hidden")
	for _, id := range []string{waiting, calling} {
		require.Equal(t, []string{"1", "2"}, takenBy(s.history(id)))
	}
	require.Equal(t, []string{"2"}, takenBy(s.history(s.finishedUnder(second))), "new runs begin under the current build")
	require.NotContains(t, s.examined("build 2 of deployment tutti is current and is polled"), "is pinned")
	testenv.Seen(t, "a run that waited and one in a call: workflow tasks completed by builds %v and %v, both %s",
		takenBy(s.history(waiting)), takenBy(s.history(calling)), record.Status)
}

// finishedUnder starts a run, waits for its end and returns its ID.
func (s *stage) finishedUnder(submitter *stage) string {
	s.t.Helper()
	id := submitter.detach("x", "--chain", "architect -> engineer")
	require.Equal(s.t, run.CompletedPrepareOnly, s.finish(id).Status)
	return id
}

// Issue 6: a pinned run waits for its build, is named by doctor while nobody
// polls as it, and is finished by it, while another build is current.
func TestAPinnedRunWaitsForItsBuildAndFinishesUnderIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first, second := s.build("1"), s.build("2")
	s.advised(second.worker(), "no build")

	line := first.refused(5, "submit", "x", "--pin", "--chain", "architect -> engineer", "--backend", "host", "--pickup", "1s")
	pinned := s.show("@last").RunID
	require.Contains(t, line, pinned+" waits: no worker polls task queue tutti as build 1 of deployment tutti, which the run is pinned to")
	s.finishedUnder(first)
	require.Equal(t, run.Planned, s.show(pinned).Status, "a run that is not pinned went through meanwhile")
	report := s.examined(pinned + " is pinned to build 1 of deployment tutti, which nobody polls, so it waits")
	require.Contains(t, report, "start `tutti worker` as that build; to let the run go on under the current one, run `temporal workflow update-options --workflow-id "+pinned)

	old := first.worker()
	s.awaits(pinned, 1)
	s.examined("1 open run is pinned to builds that are polled")
	old.Signal(syscall.SIGTERM)
	require.Zero(t, old.Wait(patience), old.Output())
	s.cli("workflow", "signal", "--workflow-id", pinned, "--name", "task-result", "--input", rawOutput("architect", "the design"))
	s.finishedUnder(second)
	require.Equal(t, run.TaskAwaitingHost, s.show(pinned).Tasks[0].Status, "the current build does not touch it")
	first.worker()
	testenv.Eventually(t, patience, "the engineer's turn", func() error {
		if status := s.show(pinned).Tasks[1].Status; status != run.TaskAwaitingHost {
			return errNotYet(status)
		}
		return nil
	})
	s.accepted(pinned, "engineer", "the code")
	require.Equal(t, run.Completed, s.finish(pinned).Status)
	require.Equal(t, []string{"1"}, takenBy(s.history(pinned)))
	testenv.Seen(t, "while build 2 was current: named by doctor, workflow tasks completed by builds %v, the run is %s",
		takenBy(s.history(pinned)), s.show(pinned).Status)
}

// The commands of docs/deployments.md: the switch, a run that is pinned to a build
// which never comes, and its pin taken off.
func TestTheCommandsOfThePageOnDeployments(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/deployments.md")
	require.NoError(t, err)
	commands := blocks(string(raw))
	require.Len(t, commands, 2)
	s := newStage(t)
	s.build("2026-11-30").worker()
	submitter := s.build("2026-11-23")
	for _, block := range commands {
		p, code := submitter.shell(block, nil)
		require.Zero(t, code, p.Output())
	}
	record := s.show("@last")
	require.Equal(t, run.CompletedPrepareOnly, record.Status)
	require.Equal(t, []string{"2026-11-30"}, takenBy(s.history(record.RunID)))
	var verified struct {
		Unknown map[string]int `json:"unknownEvents"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.must("projection", "verify", "--json")), &verified))
	require.Equal(t, map[string]int{}, verified.Unknown, "the fold knows what a pin leaves in a history")
}

// Deployments can be begun at any time: what waits for workers without one goes
// on under the first build that is current. Until then nothing is changed.
func TestARunFromBeforeDeploymentsGoesOnUnderTheFirstBuild(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	plain := s.worker()
	require.NotContains(t, plain.Output(), "build")
	before := s.finishedUnder(s)
	waiting := s.host("x", "--chain", "architect")
	for _, e := range s.history(before) {
		if a := e.GetWorkflowTaskCompletedEventAttributes(); a != nil {
			require.Nil(t, a.GetDeploymentVersion())
			require.Equal(t, enumspb.VERSIONING_BEHAVIOR_UNSPECIFIED, a.GetVersioningBehavior())
		}
	}
	require.NotContains(t, s.must("doctor"), "deployment")

	first := s.build("1")
	w := first.worker()
	s.examined("workers without a deployment get all runs that are not pinned")
	s.advised(w, "no build")
	plain.Stop()
	s.accepted(waiting, "architect", "the design")
	require.Equal(t, run.Completed, s.finish(waiting).Status)
	require.Equal(t, []string{"", "1"}, takenBy(s.history(waiting)))
	after := s.finishedUnder(s)
	require.Equal(t, kindsOf(s.history(before)), kindsOf(s.history(after)), "a deployment adds no event")
}

func kindsOf(events []*historypb.HistoryEvent) []string {
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.GetEventType().String())
	}
	return kinds
}

// Every queue of a worker belongs to its build: that of a provider, and those of
// processes that do one half each.
func TestABuildHasAllQueues(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("tutti.yaml", "providers:\n  fake: {dialect: openai, baseURL: "+s.fake.BaseURL()+", callsPerSecond: 50}\ndeployment: {name: tutti, buildID: a b}\n")
	decides := s.worker("--only", "workflows")
	s.worker("--only", "activities")
	line := s.refused(5, "submit", "x", "--chain", "engineer", "--backend", "provider", "--model", "fake/echo", "--pickup", "1s")
	require.Contains(t, line, "no build is current; run `temporal worker deployment set-current-version --deployment-name tutti --build-id 'a b'`")
	require.Contains(t, decides.Output(), "--build-id 'a b'")
	s.cli("worker", "deployment", "set-current-version", "--deployment-name", "tutti", "--build-id", "a b", "--yes")
	id := s.show("@last").RunID
	require.Equal(t, run.Completed, s.finish(id).Status)
	want := &deploymentpb.WorkerDeploymentVersion{DeploymentName: "tutti", BuildId: "a b"}
	for _, e := range s.history(id) {
		if a := e.GetWorkflowTaskCompletedEventAttributes(); a != nil {
			require.Equal(t, want.String(), a.GetDeploymentVersion().String())
		}
		if a := e.GetActivityTaskScheduledEventAttributes(); a != nil {
			require.Equal(t, "tutti-provider-fake", a.GetTaskQueue().GetName())
		}
	}
}

// T4: what cannot be pinned is refused and nothing is started.
func TestWithoutADeploymentNothingIsPinned(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	line := s.refused(2, "submit", "x", "--pin", "--chain", "architect", "--detach")
	require.Contains(t, line, "none is configured; configure deployment: {name, buildID}")
	require.Empty(t, s.must("run", "list", "-o", "name"))
}
