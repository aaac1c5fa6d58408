package main_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// through makes the stage's processes reach Temporal through a proxy; undo takes
// that back for the processes that start later.
func (s *stage) through(proxy *testenv.Proxy) (undo func()) {
	before := s.env
	s.env = append([]string{}, before...)
	s.env[0] = "TEMPORAL_ADDRESS=" + proxy.Address()
	return func() { s.env = before }
}

// postgres gives the stage a database of its own, behind a proxy.
func (s *stage) postgres() (dsn string, proxy *testenv.Proxy) {
	s.t.Helper()
	dsn = testenv.Postgres(s.t)
	behind, proxy := s.behindProxy(dsn)
	s.env = behind.env
	s.must("migrate")
	return dsn, proxy
}

// behindProxy is the same user who reaches the database through a proxy of his own.
func (s *stage) behindProxy(dsn string) (*stage, *testenv.Proxy) {
	s.t.Helper()
	config, err := pgx.ParseConfig(dsn)
	require.NoError(s.t, err)
	address := fmt.Sprintf("%s:%d", config.Host, config.Port)
	proxy := testenv.StartProxy(s.t, address)
	require.Contains(s.t, dsn, address)
	other := *s
	other.env = append(append([]string{}, s.env...), "TUTTI_STORE=postgres", "DATABASE_URL="+strings.Replace(dsn, address, proxy.Address(), 1))
	return &other, proxy
}

func query[T any](t *testing.T, dsn, sql string) []T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	rows, err := conn.Query(t.Context(), sql)
	require.NoError(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return values
}

const oneHeld = "architect -> engineer"

// C2a: the worker dies after the answer is stored and before Temporal knows.
func TestAStoredAnswerIsNotBoughtAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn, _ := s.postgres()
	proxy := testenv.StartProxy(t, testenv.Temporal(t))
	direct := s.through(proxy)
	w := s.worker()
	direct()
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	proxy.Hold()
	require.NoError(t, s.fake.Release(t.Context(), ""))
	testenv.Eventually(t, patience, "the answer is stored", func() error {
		if n := query[int64](t, dsn, "select count(*) from tutti_kept.call_answers")[0]; n != 1 {
			return fmt.Errorf("%d answers", n)
		}
		return nil
	})
	w.Kill9()
	proxy.Cut() // A dead process's connections end; held ones would go on polling.
	s.worker()
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 1, s.calls("hold-1"))
	require.Zero(t, record.Usage.CallsUncertain)
	require.Equal(t, []string{"answered"}, query[string](t, dsn, "select state from tutti_kept.model_calls"))
	testenv.Seen(t, "%d call at the provider, callsUncertain %d, the run is %s", s.calls("hold-1"), record.Usage.CallsUncertain, record.Status)
}

// C2b: the worker dies with an answer that it could not store.
func TestACallThatMayHaveBeenPaidTwiceIsNotHidden(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn, proxy := s.postgres()
	w := s.worker()
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	proxy.Hold()
	require.NoError(t, s.fake.Release(t.Context(), ""))
	w.Kill9()
	proxy.Cut()
	proxy.Flow()
	s.worker()
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 2, s.calls("hold-1"))
	require.Equal(t, 1, record.Usage.CallsUncertain)
	require.Equal(t, []string{"uncertain", "answered"}, query[string](t, dsn, "select state from tutti_kept.model_calls order by attempt"))
	testenv.Eventually(t, patience, "the mirror says so", func() error {
		if n := query[int64](t, dsn, "select calls_uncertain from tutti.runs"); len(n) != 1 || n[0] != 1 {
			return fmt.Errorf("%v uncertain", n)
		}
		return nil
	})
	testenv.Seen(t, "%d calls at the provider, callsUncertain %d in the record and in SQL, the run is %s", s.calls("hold-1"), record.Usage.CallsUncertain, record.Status)
}

// C5: a worker that stood still past its heartbeat changes nothing when it goes on. The second worker
// asks another server, so that the first one's request stays open until the first worker aborts it.
func TestAWorkerThatStoodStillChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn, _ := s.postgres()
	w := s.worker()
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	w.Signal(syscall.SIGSTOP)
	other := fakeprovider.Start(t, fakeprovider.Options{})
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+other.BaseURL()+"\n")
	s.worker()
	// Polls of the worker that stands still are answered for up to a minute more, so
	// the second attempt may be lost to it as well.
	waiting, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err := other.Await(waiting, "hold-1", 1)
	require.NoError(t, err)
	require.NoError(t, other.Release(t.Context(), ""))
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	s.settled(1)
	answers := func() []string { return query[string](t, dsn, "select a::text from tutti_kept.call_answers a") }
	before, kept := s.mirror(dsn), answers()
	require.Equal(t, 1, s.inFlight("hold-1"), "the first worker's request is still open")

	w.Signal(syscall.SIGCONT)
	continued := time.Now()
	testenv.Eventually(t, 35*time.Second, "the first worker's request is aborted", func() error {
		if n := s.inFlight("hold-1"); n != 0 {
			return fmt.Errorf("%d in flight", n)
		}
		return nil
	})
	aborted := time.Since(continued)
	testenv.Eventually(t, patience, "the first worker gives its call up", func() error {
		states := query[string](t, dsn, "select state from tutti_kept.model_calls order by attempt")
		if len(states) != 2 || states[0] != "abandoned" || states[1] != "answered" {
			return fmt.Errorf("%v", states)
		}
		return nil
	})
	require.Equal(t, before, s.mirror(dsn), "no row of the run, its tasks and its events")
	require.Equal(t, kept, answers())
	require.Equal(t, record.LastEventID, s.show(id).LastEventID)
	testenv.Seen(t, "the first worker's request was aborted %s after it went on, its attempt row is abandoned; %d rows of run, tasks, events and answers are unchanged",
		aborted.Round(time.Millisecond), len(before)+len(kept))
}

// inFlight is how many requests for a model the provider has not answered.
func (s *stage) inFlight(model string) int {
	s.t.Helper()
	stats, err := s.fake.Stats(s.t.Context())
	require.NoError(s.t, err)
	return stats.Models[model].InFlight
}

// A server that takes 2 MiB a payload carries answers of 4 MB and requests of 1 MiB.
func TestLargeTextsWorkOnTheRealServer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	s.write("large.txt", strings.Repeat("a line of text\n", 1<<16))
	out := s.must("submit", "read this", "-f", "large.txt", "--chain", oneHeld, "--backend", "provider", "--model", "fake/fill-4000000")
	require.Len(t, strings.TrimSpace(out), 4_000_000)
	record := s.show("@last")
	require.Equal(t, 4_000_000, record.Tasks[0].OutputSize)
	require.Less(t, s.historyBytes(record.RunID), 200_000)
}

func TestAChainOfThirtyTasksKeepsItsHistorySmall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var b strings.Builder
	b.WriteString("name: long\ndescription: thirty tasks\ntasks:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "  - {id: t%d, specialist: engineer", i)
		if i > 0 {
			fmt.Fprintf(&b, ", needs: [t%d]", i-1)
		}
		b.WriteString("}\n")
	}
	s.write(".tutti/chains/long.yaml", b.String())
	s.worker()
	s.must("submit", "x", "--chain", "long", "--backend", "provider", "--model", "fake/fill-100000")
	record := s.show("@last")
	require.Equal(t, run.Completed, record.Status)
	require.Less(t, s.historyBytes(record.RunID), 2<<20)
}

func (s *stage) historyBytes(runID string) int {
	s.t.Helper()
	d, err := s.temporal.DescribeWorkflow(s.t.Context(), runID, "")
	require.NoError(s.t, err)
	return int(d.RawResponse.GetWorkflowExecutionInfo().GetHistorySizeBytes())
}

// A fan-out of 64 under a cap of one cent passes it by at most one call.
func TestAFanOutStaysWithinItsBudget(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var b strings.Builder
	b.WriteString("name: wide\ndescription: sixty-four tasks\ntasks:\n")
	for i := range 64 {
		fmt.Fprintf(&b, "  - {id: t%d, specialist: engineer}\n", i)
	}
	s.write(".tutti/chains/wide.yaml", b.String())
	s.write(".tutti/prices.yaml", "prices:\n  - {provider: fake, model: echo, input: \"1\", output: \"1\", asOf: \"2026-11-29\", source: \"https://example.invalid/prices\"}\n")
	s.worker()
	p, code := s.tutti("submit", "x", "--chain", "wide", "--backend", "provider", "--model", "fake/echo", "--max-cost", "0.01", "--json")
	require.Equal(t, 1, code, p.Output())
	record := s.record(p.Stdout())
	counts := record.Counts()
	require.Positive(t, counts[run.TaskDone])
	require.Positive(t, counts[run.TaskSkipped])
	require.Equal(t, 64, counts[run.TaskDone]+counts[run.TaskSkipped])
	for _, task := range record.Tasks {
		if task.Status == run.TaskSkipped {
			require.Equal(t, run.SkipBudgetExceeded, task.SkipReason)
		}
	}
	require.NotNil(t, record.Usage.CostUSD)
	t.Logf("%d done for %s dollars", counts[run.TaskDone], *record.Usage.CostUSD)
}

// C5: a worker that cannot reach Temporal gives its call up by itself, before the
// server gives up on the worker: nobody pays for an answer that nobody can use.
func TestAWorkerCutOffFromTemporalStopsItsCallByItself(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn, _ := s.postgres()
	proxy := testenv.StartProxy(t, testenv.Temporal(t))
	direct := s.through(proxy)
	s.worker()
	direct()
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	cut := time.Now()
	proxy.Hold()
	// The server gives the worker up 30 s after its last beat.
	testenv.Eventually(t, 30*time.Second, "the request is aborted", func() error {
		if n := s.inFlight("hold-1"); n != 0 {
			return fmt.Errorf("%d in flight", n)
		}
		return nil
	})
	aborted := time.Since(cut)
	testenv.Eventually(t, patience, "the attempt is abandoned", func() error {
		if states := query[string](t, dsn, "select state from tutti_kept.model_calls order by attempt"); len(states) < 1 || states[0] != "abandoned" {
			return fmt.Errorf("%v", states)
		}
		return nil
	})
	proxy.Cut()
	s.worker()
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.Equal(t, run.Completed, s.finish(id).Status)
	testenv.Seen(t, "a worker that was cut off from Temporal aborted its call by itself after %s", aborted.Round(100*time.Millisecond))
}
