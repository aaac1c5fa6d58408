package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// keyed are the arguments of a submit whose request is too long to travel inline,
// so that the submitter writes into the store before it starts the run.
func keyed(key string, more ...string) []string {
	return append([]string{
		"submit", "read this", "-f", "long.txt", "--chain", "architect -> reviewer",
		"--backend", "provider", "--model", "fake/echo", "--idempotency-key", key,
	}, more...)
}

// judgedBy is the same user whose calls to Temporal a proxy judges.
func (s *stage) judgedBy(judge func(testenv.Call) testenv.Verdict) (*stage, *testenv.GRPC) {
	s.t.Helper()
	proxy := testenv.StartGRPC(s.t, testenv.Temporal(s.t), judge)
	other := *s
	other.env = append([]string{"TEMPORAL_ADDRESS=" + proxy.Address()}, s.env[1:]...)
	return &other, proxy
}

// killedAt starts a submitter and kills it when the channel says so. One that needs
// fewer calls than the control did ends by itself.
func (s *stage) killedAt(held <-chan struct{}, args []string) {
	s.t.Helper()
	p := testenv.StartProcess(s.t, s.options(args...))
	select {
	case <-held:
		p.Kill9()
	case <-p.Done():
		require.Zero(s.t, p.Wait(patience), p.Output())
	case <-time.After(patience):
		require.Fail(s.t, "the submitter neither comes to that call nor ends", p.Output())
	}
}

// requireRuns requires that so many runs of two tasks were started in all, that
// each has completed and has a row, and that nothing was asked for twice.
func (s *stage) requireRuns(dsn string, runs int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "Temporal lists every run", func() error {
		counted, err := s.temporal.CountWorkflow(s.t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: s.namespace, Query: "ExecutionStatus = 'Completed'",
		})
		if err == nil && counted.GetCount() != int64(runs) {
			err = fmt.Errorf("%d of %d", counted.GetCount(), runs)
		}
		return err
	})
	s.settled(runs)
	require.Equal(s.t, 2*runs, s.calls("echo"), "each run asked for each of its tasks once")
	require.Equal(s.t, []string{fmt.Sprintf("%d %d completed", runs, runs)}, s.sql(dsn, `
select count(*)::text || ' ' || count(distinct run_id)::text || ' ' || string_agg(distinct status, ' ') from tutti.runs`))
}

func (s *stage) submitterStage() (dsn string) {
	s.t.Helper()
	dsn = testenv.Postgres(s.t)
	s.team(dsn)
	s.worker()
	s.write("long.txt", strings.Repeat("a line of text\n", 8<<10))
	return dsn
}

// C3: the submitter is killed between each pair of its calls to Temporal. What it
// had asked for last was done, what it asked for next nobody heard of. Submitting
// again with the same key leads to the one run there is.
func TestASubmitterKilledBetweenItsCallsToTemporalSubmitsAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := s.submitterStage()
	control, watched := s.judgedBy(func(testenv.Call) testenv.Verdict { return testenv.Verdict{} })
	want := control.must(keyed("control")...)
	calls := watched.Calls()
	require.Contains(t, calls, "StartWorkflowExecution")
	t.Logf("the submitter calls %s", strings.Join(calls, ", "))
	var points []int
	for i := range calls {
		points = append(points, i)
	}
	sideBySide(t, points, func(t *testing.T, point int) {
		mine, key := *s, fmt.Sprint("before call ", point)
		mine.t = t
		killed, proxy := mine.judgedBy(func(c testenv.Call) testenv.Verdict {
			if c.Before == point {
				return testenv.Verdict{Deed: testenv.Hold}
			}
			return testenv.Verdict{}
		})
		killed.killedAt(proxy.Held(), keyed(key))
		require.Equal(t, want, mine.must(keyed(key)...), key)
	})
	s.requireRuns(dsn, 1+len(points))
	testenv.Seen(t, "killed before each of %d calls to Temporal: %d keys, %d workflows and rows", len(points), 1+len(points), 1+len(points))
}

// C3: the same between each pair of its questions to Postgres: no lock and no half
// of a row holds up or spoils the next.
func TestASubmitterKilledBetweenItsQuestionsToPostgresSubmitsAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := s.submitterStage()
	watched, proxy := s.behindProxy(dsn)
	watched.must(keyed("control", "--detach")...)
	want := s.must(keyed("control")...)
	asked := proxy.Asked()
	require.Greater(t, asked, 5)
	t.Logf("the submitter asks Postgres %d times", asked)
	const rows = 8 // walked side by side
	var starts []int
	for i := range rows {
		starts = append(starts, i+1)
	}
	sideBySide(t, starts, func(t *testing.T, from int) {
		for point := from; point <= asked; point += rows {
			mine, key := *s, fmt.Sprint("before question ", point)
			mine.t = t
			killed, proxy := mine.behindProxy(dsn)
			killed.killedAt(proxy.HoldAt(point), keyed(key, "--detach"))
			proxy.Cut() // A dead process's connections end.
			require.Equal(t, want, mine.must(keyed(key)...), key)
		}
	})
	s.requireRuns(dsn, 1+asked)
	testenv.Seen(t, "killed before each of %d questions to Postgres: %d keys, %d workflows and rows", asked, 1+asked, 1+asked)
}
