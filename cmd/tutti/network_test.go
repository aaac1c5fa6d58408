package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// trouble is what a network does while runs are started one after the other.
type trouble struct {
	name string
	// before each run, and once all are on their way.
	before, after func(*testenv.Proxy)
}

// String names the subtest.
func (t trouble) String() string { return t.name }

func troubles() []trouble {
	nothing := func(*testenv.Proxy) {}
	return []trouble{
		{"cut", (*testenv.Proxy).Cut, (*testenv.Proxy).Cut},
		{"slow", func(p *testenv.Proxy) { p.Delay(40 * time.Millisecond) }, nothing},
		{"half-open, then well", (*testenv.Proxy).Hold, (*testenv.Proxy).Flow},
		{"half-open, then cut", (*testenv.Proxy).Hold, func(p *testenv.Proxy) { p.Cut(); p.Flow() }},
	}
}

// throughTrouble starts runs while the network is in trouble, and requires that
// none is lost, that no repeated call is hidden and that rows equal folds.
func (s *stage) throughTrouble(proxy *testenv.Proxy, trouble trouble) {
	s.t.Helper()
	const runs = 6
	submit := []string{"x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo-100"}
	ids := []string{s.detach(submit...)}
	s.called("echo-100", 1)
	for len(ids) < runs {
		trouble.before(proxy)
		ids = append(ids, s.detach(submit...))
	}
	trouble.after(proxy)
	uncertain := 0
	for _, id := range ids {
		record := s.finish(id)
		require.Equal(s.t, run.Completed, record.Status, "%+v", record.Tasks)
		uncertain += record.Usage.CallsUncertain
	}
	calls := s.calls("echo-100")
	require.GreaterOrEqual(s.t, calls, 2*runs)
	require.LessOrEqual(s.t, calls, 2*runs+uncertain, "a repeated call is not hidden")
	s.settled(runs)
	testenv.Seen(s.t, "%s: %d runs completed, %d calls of which %d are uncertain, rows as the fold", trouble, runs, calls, uncertain)
}

// Fault injection: the network between a worker and Postgres is cut, slow, or drops
// everything without a word, while runs are under way.
func TestRunsGetThroughANetworkInTroubleToPostgres(t *testing.T) {
	t.Parallel()
	sideBySide(t, troubles(), func(t *testing.T, trouble trouble) {
		s := newStage(t)
		dsn := testenv.Postgres(t)
		s.team(dsn)
		behind, proxy := s.behindProxy(dsn)
		behind.worker()
		s.throughTrouble(proxy, trouble)
		require.Equal(t, []string{"12 answers"}, s.sql(dsn, `select count(*)::text || ' answers' from tutti_kept.call_answers`))
	})
}

// The same between a worker and Temporal.
func TestRunsGetThroughANetworkInTroubleToTemporal(t *testing.T) {
	t.Parallel()
	sideBySide(t, troubles(), func(t *testing.T, trouble trouble) {
		s := newStage(t)
		proxy := testenv.StartProxy(t, testenv.Temporal(t))
		direct := s.through(proxy)
		s.worker()
		direct()
		s.throughTrouble(proxy, trouble)
	})
}

// Postgres says nothing for the whole life of a run, which completes all the same;
// afterwards everything is in it.
func TestARunLivesWithoutAWordFromPostgres(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	behind, proxy := s.behindProxy(dsn)
	behind.worker()
	first := s.detach("x", "--chain", "architect", "--backend", "provider", "--model", "fake/echo")
	require.Equal(t, run.Completed, s.finish(first).Status)
	s.settled(1)
	proxy.Hold()
	second := s.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo")
	record := s.finish(second)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 3, s.calls("echo"))
	proxy.Cut()
	proxy.Flow()
	s.settled(2)
	require.Equal(t, []string{"3"}, s.sql(dsn, `select count(*)::text from tutti_kept.call_answers`))
	require.Equal(t, []string{"3"}, s.sql(dsn, `select count(*)::text from tutti_kept.model_calls where state = 'answered'`))
	testenv.Seen(t, "the run is %s without a word from Postgres; afterwards its 2 calls and answers are there, the row is the fold", record.Status)
}

// What a user meets when Postgres says nothing, from the start or in the middle of
// a command: what needs no database works, the rest is one line and exit code 5.
func TestCommandsWithoutAWordFromPostgresGoOnOrSaySo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	s.write("long.txt", strings.Repeat("a line of text\n", 8<<10))
	ended := s.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/echo")
	require.Equal(t, run.Completed, s.finish(ended).Status)
	s.settled(1)
	type command struct {
		code int
		args []string
	}
	commands := []command{
		{0, []string{"run", "show", ended}},
		{0, []string{"run", "watch", ended}},
		{0, []string{"run", "events", ended}},
		{0, []string{"run", "output", ended}},
		{0, []string{"run", "cancel", ended}},
		{0, []string{"run", "list"}},
		{0, []string{"submit", "x", "--chain", "architect", "--backend", "provider", "--model", "fake/echo"}},
		{5, []string{"submit", "x", "-f", "long.txt", "--chain", "architect"}},
		{5, []string{"run", "prompt", ended, "reviewer"}},
		{5, []string{"run", "show", "run-0123456789abcdef"}},
		{5, []string{"projection", "status"}},
		{5, []string{"projection", "verify"}},
		{5, []string{"migrate"}},
	}
	sideBySide(t, commands, func(t *testing.T, c command) {
		mine := *s
		mine.t = t
		for _, at := range []int{1, 4} {
			behind, proxy := mine.behindProxy(dsn)
			proxy.HoldAt(at)
			p, code := testenv.Run(t, 90*time.Second, behind.options(c.args...))
			require.Equal(t, c.code, code, p.Output())
			if code != 0 {
				mine.oneLine(p)
				require.Empty(t, p.Stdout())
			}
		}
	})
	testenv.Seen(t, "%d commands, each held at its first and fourth question: those that need no database work, the others say so in one line, exit 5", len(commands))
}
