package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// team gives the stage a database and migrates it.
func (s *stage) team(dsn string) {
	s.t.Helper()
	s.env = append(s.env, "TUTTI_STORE=postgres", "DATABASE_URL="+dsn)
	s.must("migrate")
}

func (s *stage) sql(dsn, query string) (values []string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.t.Context()), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, conn.Close(ctx)) }()
	rows, err := conn.Query(ctx, query)
	require.NoError(s.t, err)
	values, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s.t, err)
	return values
}

// mirror is everything in the mirror's tables, row by row.
func (s *stage) mirror(dsn string) []string {
	s.t.Helper()
	return s.sql(dsn, `
select 'run ' || r::text from tutti.runs r union all
select 'task ' || t::text from tutti.tasks t union all
select 'event ' || e::text from tutti.run_events e order by 1`)
}

type verified struct {
	Runs, Equal, Behind, Forgotten int
	Different, Failed              []struct{ RunID, Reason string }
}

// settled waits until every row is the whole fold of its run.
func (s *stage) settled(runs int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "every row equals its fold", func() error {
		p, code := s.tutti("projection", "verify", "--json")
		var v verified
		if err := json.Unmarshal([]byte(p.Stdout()), &v); err != nil {
			return fmt.Errorf("exit %d: %s: %w", code, p.Output(), err)
		}
		if code != 0 || v.Equal != runs {
			return fmt.Errorf("exit %d: %s", code, p.Output())
		}
		return nil
	})
}

// forget deletes a run from Temporal, as its retention does.
func (s *stage) forget(runID string) {
	s.t.Helper()
	execution := &commonpb.WorkflowExecution{WorkflowId: runID}
	_, err := s.temporal.WorkflowService().DeleteWorkflowExecution(s.t.Context(),
		&workflowservice.DeleteWorkflowExecutionRequest{Namespace: s.namespace, WorkflowExecution: execution})
	require.NoError(s.t, err)
	testenv.Eventually(s.t, patience, "Temporal has forgotten "+runID, func() error {
		_, err := s.temporal.DescribeWorkflow(s.t.Context(), runID, "")
		var notFound *serviceerror.NotFound
		if errors.As(err, &notFound) {
			return nil
		}
		return errors.Join(err, errors.New("it is still there"))
	})
}

// C8, C13 and X1: the mirror is dropped mid-run, after, and once Temporal has
// forgotten everything; it comes back equal, and readers and keys go on working.
func TestADroppedMirrorIsRebuiltEqualAlsoWithoutTemporal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	provider := []string{"--chain", "engineer -> reviewer", "--backend", "provider", "--model"}
	first := s.detach(append([]string{"the first", "--idempotency-key", "k1"}, append(provider, "fake/echo")...)...)
	require.Equal(t, run.Completed, s.finish(first).Status)
	held := s.detach(append([]string{"the second"}, append(provider, "fake/hold-1")...)...)
	s.called("hold-1", 1)
	s.settled(2)

	before := s.mirror(dsn)
	s.sql(dsn, `drop schema tutti cascade`)
	require.Contains(t, s.must("projection", "rebuild"), "2 runs rebuilt, 0 of them from the archive")
	require.Equal(t, before, s.mirror(dsn), "mid-run")
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.Equal(t, run.Completed, s.finish(held).Status)
	s.settled(2)

	before, output, shown := s.mirror(dsn), s.must("run", "output", first), s.must("run", "show", first, "--json")
	events, prompt := s.must("run", "events", first), s.must("run", "prompt", first, "engineer")
	s.sql(dsn, `update tutti.runs set record = convert_to(replace(convert_from(record, 'UTF8'), 'the first', 'tampered!'), 'UTF8')`)
	require.Contains(t, s.failed(1, "projection", "verify"), "1 rows differ")
	s.must("projection", "rebuild")
	require.Equal(t, before, s.mirror(dsn), "a row that was tampered with is mended")

	s.forget(first)
	s.forget(held)
	s.sql(dsn, `drop schema tutti cascade`)
	require.Contains(t, s.must("projection", "rebuild"), "2 runs rebuilt, 2 of them from the archive")
	require.Equal(t, before, s.mirror(dsn), "without Temporal")
	s.settled(2)
	require.Equal(t, output, s.must("run", "output", first))
	require.Equal(t, shown, s.must("run", "show", first, "--json"))
	require.Equal(t, events, s.must("run", "events", first[:12]))
	require.Equal(t, prompt, s.must("run", "prompt", first, "engineer"))

	again := s.detach(append([]string{"the first", "--idempotency-key", "k1"}, append(provider, "fake/echo")...)...)
	require.Equal(t, first, again)
	require.Contains(t, s.refused(2, append([]string{"submit", "another", "--idempotency-key", "k1"}, append(provider, "fake/echo")...)...), "idempotency")
	_, err := s.temporal.DescribeWorkflow(t.Context(), first, "")
	require.Error(t, err, "nothing was started")
	require.Equal(t, 2, s.calls("echo"), "nothing was bought again")

	for _, args := range [][]string{{"show"}, {"events"}, {"output"}, {"prompt"}} {
		for _, word := range []string{first, first[:12]} {
			require.Contains(t, s.failed(2, "--tenant", "other", "run", args[0], word), "has no run")
		}
	}
	require.Empty(t, s.must("--tenant", "other", "run", "list", "-o", "name"))
	require.Contains(t, s.must("projection", "prune", "--dry-run"), "would remove 0 texts")
	testenv.Seen(t, "%d rows of 2 runs are equal after a rebuild mid-run, after the end, and without Temporal; then the key gave %s again and %d calls were made in all",
		len(before), again, s.calls("echo"))
}

// failed runs a command that has to end with this code and returns its last line.
func (s *stage) failed(code int, args ...string) string {
	s.t.Helper()
	p, got := s.tutti(args...)
	require.Equal(s.t, code, got, "tutti %s:\n%s", strings.Join(args, " "), p.Output())
	return s.oneLine(p)
}

// C6: the database is away for the whole life of 20 runs.
func TestTwentyRunsWithoutTheirDatabaseAreInItWhenItIsBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	server := testenv.StartPostgres(t)
	s.team(server.DSN())
	s.worker()
	server.Stop()
	var ids []string
	for range 20 {
		ids = append(ids, s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/echo"))
	}
	for _, id := range ids {
		require.NoError(t, s.temporal.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	}
	require.Equal(t, 2*len(ids), s.calls("echo"))
	server.Start()
	back := time.Now()
	s.settled(len(ids))
	caughtUp := time.Since(back).Round(100 * time.Millisecond)
	require.Equal(t, []string{"40"}, s.sql(server.DSN(), `select count(*)::text from tutti_kept.model_calls where state = 'answered'`))
	require.Equal(t, []string{"40"}, s.sql(server.DSN(), `select count(*)::text from tutti_kept.call_answers`))
	require.Equal(t, []string{"20"}, s.sql(server.DSN(), `select count(*)::text from tutti_kept.run_history`))
	testenv.Seen(t, "%d runs completed without the database; %s after it was back every row equalled its fold, with %d attempts and answers", len(ids), caughtUp, s.calls("echo"))
}

// C7 and C11: no worker hints when a run is terminated, and a history that cannot
// be read stops only itself and is named.
func TestOneSweepRepairsWhatNobodyHinted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	worker := s.worker()
	id := s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	worker.Kill9()
	s.cli("workflow", "terminate", "--workflow-id", id, "--reason", "the machine room is on fire")
	_, err := s.temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "run-garbage", TaskQueue: "nobody"}, "tutti.Run", 42)
	require.NoError(t, err)
	s.worker()
	testenv.Eventually(t, patience, "the row says how the run ended", func() error {
		if got := s.sql(dsn, `select status || ' ' || coalesce(error_code, '') from tutti.runs`); len(got) != 1 || got[0] != "error RUN_TERMINATED" {
			return fmt.Errorf("%q", got)
		}
		return nil
	})
	p, code := s.tutti("projection", "verify")
	require.Equal(t, 1, code, p.Output())
	require.Contains(t, p.Stdout(), "unreadable run-garbage: fold run-garbage: event 1 (WorkflowExecutionStarted)")
	require.Contains(t, p.Stdout(), "2 runs: 1 equal")
	status := s.must("projection", "status")
	require.Contains(t, status, "unreadable run-garbage")
	require.Regexp(t, `(?m)^sweeper +\S+/\d+/`, status)
	require.Regexp(t, `(?m)^rows +1, of them 0 open`, status)
	testenv.Seen(t, "the run that nobody hinted of reads %s; verify names run-garbage alone", s.sql(dsn, `select status || ' ' || error_code from tutti.runs`)[0])
}

// No transaction is open while a provider is asked.
func TestNoTransactionIsIdleDuringACall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	for range 50 {
		require.Empty(t, s.sql(dsn, `
select pid::text || ' ' || query from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`))
	}
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.Equal(t, run.Completed, s.finish(id).Status)
}

// What is watched shows what comes, and ends well.
func TestListsAndEventsAreFollowed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.worker()
	list := testenv.StartProcess(t, s.options("run", "list", "--watch", "-o", "name"))
	id := s.detach("x", "--chain", "engineer -> reviewer", "--backend", "provider", "--model", "fake/hold-1")
	list.WaitForLine(regexp.MustCompile(id), patience)
	s.called("hold-1", 1)
	events := testenv.StartProcess(t, s.options("run", "events", "--follow", "--json", id))
	rows := testenv.StartProcess(t, s.options("run", "events", "--follow", id))
	events.WaitForLine(regexp.MustCompile(`"engineer"`), patience)
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.Zero(t, events.Wait(patience), events.Output())
	require.Zero(t, rows.Wait(patience), rows.Output())
	all := s.must("run", "events", "--json", id)
	require.Equal(t, all, events.Stdout())
	require.Equal(t, strings.Count(all, "\n"), strings.Count(rows.Stdout(), "\n"))
	require.Equal(t, all, s.must("run", "events", "--follow", "--json", id), "of a run that has ended too")
	require.Zero(t, list.Stop(), list.Output())
}
