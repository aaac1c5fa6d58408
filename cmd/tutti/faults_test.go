package main_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// fault fails the first calls of one method.
type fault struct {
	method string
	deed   testenv.Deed
	code   codes.Code
	times  int
}

// String names the subtest.
func (f fault) String() string {
	words := map[testenv.Deed]string{
		testenv.Refuse: "refused", testenv.Lose: "lost", testenv.Hold: "held", testenv.Withhold: "done and held",
	}
	return fmt.Sprintf("%s %s %s", f.method, words[f.deed], f.code)
}

func (f fault) judge(c testenv.Call) testenv.Verdict {
	if c.Method == f.method && c.BeforeOfMethod < f.times {
		return testenv.Verdict{Deed: f.deed, Code: f.code}
	}
	return testenv.Verdict{}
}

// both is a method's call that never arrives and one whose answer never does.
func both(method string, code codes.Code, times int) []fault {
	return []fault{{method, testenv.Refuse, code, times}, {method, testenv.Lose, code, times}}
}

// Fault injection: each method that a worker calls, as found in an undisturbed run,
// fails twice: once it never reaches Temporal, once only its answer is lost. The
// run completes, nothing is asked for twice, and its row is the fold.
func TestARunCompletesWhateverCallOfItsWorkerFails(t *testing.T) {
	t.Parallel()
	control := newStage(t)
	judged, watched := control.judgedBy(func(testenv.Call) testenv.Verdict { return testenv.Verdict{} })
	judged.worker()
	id := control.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Equal(t, run.Completed, control.finish(id).Status)
	control.settled(1)
	methods := watched.Calls()
	slices.Sort(methods)
	methods = slices.Compact(methods)
	t.Logf("%d methods: %v", len(methods), methods)
	require.Contains(t, methods, "RespondWorkflowTaskCompleted")
	require.Contains(t, methods, "GetWorkflowExecutionHistory")

	var faults []fault
	for _, method := range methods {
		faults = append(faults, both(method, codes.Unavailable, 2)...)
	}
	faults = append(faults, both("GetWorkflowExecutionHistory", codes.ResourceExhausted, 2)...)
	for some := range slices.Chunk(faults, 8) {
		sideBySide(t, some, func(t *testing.T, f fault) {
			s := newStage(t)
			judged, _ := s.judgedBy(f.judge)
			judged.patientWorker()
			id := s.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo")
			record := s.finish(id)
			require.Equal(t, run.Completed, record.Status)
			require.Equal(t, 2, s.calls("echo"))
			require.Zero(t, record.Usage.CallsUncertain)
			s.settled(1)
		})
	}
	testenv.Seen(t, "%d faults in %d methods of the worker: completed each time, 2 calls, the row is the fold", len(faults), len(methods))
}

// patientWorker starts a worker again for as long as it says that Temporal cannot
// be reached, as whatever supervises it does.
func (s *stage) patientWorker() {
	s.t.Helper()
	for range 5 {
		w := testenv.StartProcess(s.t, s.options("worker"))
		polls := false
		testenv.Eventually(s.t, patience, "it polls or has ended", func() error {
			polls = strings.Contains(w.Output(), "polls task queue")
			select {
			case <-w.Done():
				return nil
			default:
			}
			if !polls {
				return errors.New("neither")
			}
			return nil
		})
		if polls {
			return
		}
		require.Equal(s.t, 5, w.Wait(patience), w.Output())
		require.Contains(s.t, s.oneLine(w), "temporal cannot be reached")
	}
	require.Fail(s.t, "the worker does not start")
}

// What a user meets when calls of a command fail: for a moment nothing, for good
// one line and exit code 5, and an answer that never comes is not waited for.
func TestCommandsWhoseCallsFailGoOnOrSaySo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.team(testenv.Postgres(t))
	s.worker()
	ended := s.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Equal(t, run.Completed, s.finish(ended).Status)
	submit := []string{"submit", "x", "--chain", "architect", "--backend", "provider", "--model", "fake/echo", "--pickup", "5s"}
	const history = "GetWorkflowExecutionHistory"
	type command struct {
		args   []string
		method string
	}
	commands := []command{
		{[]string{"run", "show", ended}, history},
		{[]string{"run", "show", ended}, "DescribeWorkflowExecution"},
		{[]string{"run", "watch", ended}, history},
		{[]string{"run", "cancel", ended}, "DescribeWorkflowExecution"},
		{[]string{"projection", "verify"}, "ListWorkflowExecutions"},
		{submit, history},
		{submit, "StartWorkflowExecution"},
	}
	sideBySide(t, commands, func(t *testing.T, c command) {
		mine := *s
		mine.t = t
		for _, f := range both(c.method, codes.Unavailable, 2) {
			judged, proxy := mine.judgedBy(f.judge)
			p, code := judged.tutti(c.args...)
			require.Zero(t, code, p.Output())
			require.Contains(t, proxy.Calls(), c.method)
		}
		for _, deed := range []testenv.Deed{testenv.Refuse, testenv.Hold} {
			judged, _ := mine.judgedBy(fault{c.method, deed, codes.Unavailable, 1 << 30}.judge)
			p, code := testenv.Run(t, 60*time.Second, judged.options(c.args...))
			require.Equal(t, 5, code, p.Output())
			judged.oneLine(p)
			require.NotContains(t, p.Stderr(), "no worker polls")
		}
	})
	// The first run, four whose start was answered, and two whose start was tried again.
	s.settled(7)
	require.Equal(t, 2+6, s.calls("echo"), "a start that was tried again is one run")
	testenv.Seen(t, "%d commands: a passing fault is not felt, a lasting one is one line and exit 5", len(commands))
}

// A namespace that Temporal does not have is refused the same way again.
func TestANamespaceThatIsMissingIsSaidSo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env = append(s.env, "TEMPORAL_NAMESPACE=nowhere")
	for _, args := range [][]string{
		{"worker"},
		{"submit", "x", "--chain", "architect"},
		{"run", "show", "run-0123456789abcdef"},
		{"run", "cancel", "run-0123456789abcdef"},
		{"projection", "verify"},
	} {
		p, code := s.tutti(args...)
		require.Equal(t, 4, code, "%v: %s", args, p.Output())
		require.Contains(t, s.oneLine(p), "TEMPORAL_NAMESPACE")
	}
}
