package workflows_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// path is a way by which runs are executed.
type path string

const (
	inline   path = "inline"
	provider path = "provider"
	host     path = "host"
	mixed    path = "mixed"
)

// rule is a row of the finalize table.
type rule string

const (
	ruleErrored   rule = "ended by the server"
	ruleCancelled rule = "cancelled"
	ruleFailed    rule = "a task failed"
	ruleSkipped   rule = "a task was skipped"
	rulePrepared  rule = "all prepared"
	rulePartly    rule = "some prepared"
	ruleFellBack  rule = "a degradation"
	ruleCompleted rule = "all done"
)

// ending is a run that ends by one rule on one path.
type ending struct {
	rule rule
	path path
	plan run.Plan
	// arrange prepares the script, and act does what somebody does to the run.
	arrange func(s *stage)
	act     func(s *stage, id string)
	status  run.Status
	tasks   string
	reasons []string
}

// impossible are the pairs that no run can have, with the reason.
var impossible = map[rule]map[path]string{
	rulePrepared:  {provider: "its tasks are asked", host: "its tasks are handed in", mixed: "only inline prepares"},
	rulePartly:    {inline: "its tasks are all prepared", provider: "none is prepared", host: "none is prepared"},
	ruleFellBack:  {inline: "no model is chosen", host: "no model is chosen"},
	ruleCompleted: {inline: "it executes nothing"},
}

// of is a plan whose tasks one, two, … have these backends, each needing all earlier ones.
func of(backends ...run.Backend) run.Plan {
	plan := listPlan(run.BackendProvider, []string{"one", "two", "three"}[:len(backends)]...)
	for i, backend := range backends {
		if plan.Tasks[i].Backend = backend; backend != run.BackendProvider {
			plan.Tasks[i].Provider, plan.Tasks[i].Model = "", ""
		}
	}
	return plan
}

// fallingBack is a plan whose first task's model fails and whose fallback answers.
func fallingBack(plan run.Plan) run.Plan {
	plan.Tasks[0].Model = "flaky"
	plan.Tasks[0].Fallbacks = []run.ModelChoice{{Provider: "demo", Model: "echo"}}
	return plan
}

func flaky(s *stage) {
	s.script.models["flaky"] = run.Failure{Code: run.CodeServerError, Message: "as the script says", Attempts: 3}
}

func holding(id string) func(*stage) { return func(s *stage) { s.script.hold(id) } }

func failing(id string) func(*stage) { return func(s *stage) { s.script.fail(id, run.CodeAuth) } }

// while does something to a run once its task is in this state.
func while(task string, status run.TaskStatus, do func(*stage, string)) func(*stage, string) {
	return func(s *stage, id string) {
		s.until(id, task+" is "+string(status), taskIs(task, status))
		do(s, id)
	}
}

func cancel(s *stage, id string) { require.NoError(s.t, s.runs.Cancel(s.t.Context(), id)) }

func terminate(s *stage, id string) {
	require.NoError(s.t, s.client.TerminateWorkflow(s.t.Context(), id, "", "by the operator"))
}

// handIn submits results as the tasks' turns come; an empty one reports a failure.
func handIn(results ...string) func(*stage, string) {
	return func(s *stage, id string) {
		for i := 0; i < len(results); i += 2 {
			task, output := results[i], results[i+1]
			s.until(id, task+" awaits", awaits(task))
			in := done(task, output)
			if output == "" {
				in = history.HostResult{TaskID: task, Outcome: run.OutcomeFailed, Error: "no idea"}
			}
			_, err := s.submit(id, in)
			require.NoError(s.t, err)
		}
	}
}

func endings() []ending {
	const i, p, h = run.BackendInline, run.BackendProvider, run.BackendHost
	fellBack, partly := []string{run.DegradedSameFamilyFallback}, []string{run.DegradedPartlyPrepared}
	return []ending{
		{ruleErrored, inline, of(i, i), holding("one"), while("one", run.TaskRunning, terminate), run.Errored, "one=cancelled two=cancelled ", nil},
		{ruleErrored, provider, of(p, p), holding("two"), while("two", run.TaskRunning, terminate), run.Errored, "one=done two=cancelled ", nil},
		{ruleErrored, host, of(h, h), nil, while("one", run.TaskAwaitingHost, terminate), run.Errored, "one=cancelled two=cancelled ", nil},
		{ruleErrored, mixed, of(p, h, i), nil, while("two", run.TaskAwaitingHost, terminate), run.Errored, "one=done two=cancelled three=cancelled ", nil},

		{ruleCancelled, inline, of(i, i), holding("one"), while("one", run.TaskRunning, cancel), run.Cancelled, "one=cancelled two=cancelled ", nil},
		{ruleCancelled, provider, fallingBack(of(p, p)), func(s *stage) { flaky(s); s.script.hold("two") }, while("two", run.TaskRunning, cancel), run.Cancelled, "one=done two=cancelled ", fellBack},
		{ruleCancelled, host, of(h, h), nil, while("one", run.TaskAwaitingHost, cancel), run.Cancelled, "one=cancelled two=cancelled ", nil},
		{ruleCancelled, mixed, of(p, h, i), nil, while("two", run.TaskAwaitingHost, cancel), run.Cancelled, "one=done two=cancelled three=cancelled ", nil},

		{ruleFailed, inline, of(i, i), failing("two"), nil, run.CompletedWithFailures, "one=prepared two=failed ", nil},
		{ruleFailed, provider, fallingBack(of(p, p)), func(s *stage) { flaky(s); failing("two")(s) }, nil, run.CompletedWithFailures, "one=done two=failed ", fellBack},
		{ruleFailed, host, of(h, h), nil, handIn("one", "x", "two", ""), run.CompletedWithFailures, "one=done two=failed ", nil},
		{ruleFailed, mixed, of(i, p, h), nil, handIn("three", ""), run.CompletedWithFailures, "one=prepared two=done three=failed ", partly},

		{ruleSkipped, inline, of(i, i), failing("one"), nil, run.CompletedWithFailures, "one=failed two=skipped ", nil},
		{ruleSkipped, provider, priced(of(p, p), "0"), nil, nil, run.CompletedWithFailures, "one=skipped two=skipped ", nil},
		{ruleSkipped, host, of(h, h), nil, handIn("one", ""), run.CompletedWithFailures, "one=failed two=skipped ", nil},
		{ruleSkipped, mixed, of(p, h, i), failing("one"), nil, run.CompletedWithFailures, "one=failed two=skipped three=skipped ", nil},

		{rulePrepared, inline, of(i, i, i), nil, nil, run.CompletedPrepareOnly, "one=prepared two=prepared three=prepared ", nil},
		{rulePartly, mixed, of(p, h, i), nil, handIn("two", "x"), run.Degraded, "one=done two=done three=prepared ", partly},
		{ruleFellBack, provider, fallingBack(of(p, p)), flaky, nil, run.Degraded, "one=done two=done ", fellBack},
		{ruleFellBack, mixed, fallingBack(of(p, h)), flaky, handIn("two", "x"), run.Degraded, "one=done two=done ", fellBack},

		{ruleCompleted, provider, of(p, p), nil, nil, run.Completed, "one=done two=done ", nil},
		{ruleCompleted, host, of(h, h), nil, handIn("one", "x", "two", "y"), run.Completed, "one=done two=done ", nil},
		{ruleCompleted, mixed, of(p, h), nil, handIn("two", "x"), run.Completed, "one=done two=done ", nil},
	}
}

// closed says as what Temporal closes a run of a status.
var closed = map[run.Status]enumspb.WorkflowExecutionStatus{
	run.Completed:             enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED,
	run.CompletedPrepareOnly:  enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED,
	run.Degraded:              enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED,
	run.CompletedWithFailures: enumspb.WORKFLOW_EXECUTION_STATUS_FAILED,
	run.Cancelled:             enumspb.WORKFLOW_EXECUTION_STATUS_CANCELED,
	run.Errored:               enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED,
}

// T1: every row of the finalize table on every path that can have it; workflow, fold and Temporal's own
// close status agree.
func TestEveryRowOfTheFinalizeTableOnEveryPath(t *testing.T) {
	t.Parallel()
	ends, paths := map[run.Status]int{}, map[path]int{}
	for _, e := range endings() {
		ends[e.status]++
		paths[e.path]++
	}
	t.Cleanup(func() {
		testenv.Seen(t, "%d runs ended by every rule that their path can have: %s; %s", len(endings()), counted(paths), counted(ends))
	})
	for _, e := range endings() {
		t.Run(string(e.path)+": "+string(e.rule), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			if e.arrange != nil {
				e.arrange(s)
			}
			s.work()
			id := s.start(e.plan)
			if e.act != nil {
				e.act(s, id)
			}
			record := s.finished(id)
			require.Equal(t, e.status, record.Status)
			require.Equal(t, e.tasks, statuses(record))
			require.Equal(t, e.reasons, record.DegradationReasons)
			require.Equal(t, e.status == run.Degraded, record.Degraded)
			require.Equal(t, e.path, path(record.WorkerBackend))
			described, err := s.client.DescribeWorkflow(t.Context(), id, "")
			require.NoError(t, err)
			require.Equal(t, closed[e.status], described.RawResponse.GetWorkflowExecutionInfo().GetStatus())
			s.requireAgreement(id)
		})
	}
}

// counted says how many there are of each.
func counted[K ~string](counts map[K]int) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[key], key))
	}
	return strings.Join(parts, ", ")
}

// T1: a run without a task ends as degraded, whoever started it.
func TestARunWithoutTasksIsDegraded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(run.Plan{Chain: run.ChainRef{Name: "nothing"}, PromptFormat: 1})
	record := s.finished(id)
	require.Equal(t, run.Degraded, record.Status)
	require.Equal(t, []string{run.DegradedNoTasksPlanned}, record.DegradationReasons)
	s.requireAgreement(id)
	testenv.Seen(t, "without a task: %s (%s)", record.Status, record.DegradationReasons[0])
}

// The endings above are all pairs but the impossible ones, so that a rule or a path that is added is
// missed here.
func TestNoPairOfRuleAndPathIsMissing(t *testing.T) {
	t.Parallel()
	rules := []rule{ruleErrored, ruleCancelled, ruleFailed, ruleSkipped, rulePrepared, rulePartly, ruleFellBack, ruleCompleted}
	for _, r := range rules {
		for _, p := range []path{inline, provider, host, mixed} {
			played := slices.ContainsFunc(endings(), func(e ending) bool { return e.rule == r && e.path == p })
			require.NotEqual(t, played, impossible[r][p] != "", "%s on %s", r, p)
		}
	}
	for _, status := range run.Statuses() {
		require.Equal(t, status.IsTerminal(), closed[status] != 0, status)
		if status.IsTerminal() {
			require.True(t, slices.ContainsFunc(endings(), func(e ending) bool { return e.status == status }), status)
		}
	}
}
