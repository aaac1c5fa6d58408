package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// audit writes down each event up to which the row of a run was brought.
func (s *stage) audit(dsn string) {
	s.t.Helper()
	for _, statement := range []string{
		`create table audit (seq bigserial, run_id text, last_event_id bigint)`,
		`create function note() returns trigger language plpgsql as $$ begin
		   insert into public.audit (run_id, last_event_id) values (new.run_id, new.last_event_id);
		   return new;
		 end $$`,
		`create trigger note after insert or update on tutti.runs for each row execute function note()`,
	} {
		s.sql(dsn, statement)
	}
}

// C11: two processes project one run. The one's questions to Postgres are held
// while the other brings the row further; when they arrive at last they change
// nothing, and doing everything again does not either.
func TestALateProjectionChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.audit(dsn)
	s.write(".tutti/chains/diamond.yaml", diamond)
	late, proxy := s.behindProxy(dsn)
	late.worker("--only", "workflows")
	s.worker("--only", "activities")
	id := s.detach("x", "--chain", "diamond", "--backend", "provider")
	s.called("hold-1", 1)
	s.settled(1)

	proxy.Hold()
	asked := proxy.Asked()
	require.NoError(t, s.fake.Release(t.Context(), "hold-1"))
	testenv.Eventually(t, patience, "a projection waits", func() error {
		// The sweep asks one question at a time, so the second is the projection's.
		if n := proxy.Asked() - asked; n < 2 {
			return fmt.Errorf("%d questions wait", n)
		}
		return nil
	})
	require.NoError(t, s.fake.Release(t.Context(), ""))
	require.NoError(t, s.temporal.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	var answered int64 // the event of the last answer, after which the other process projects
	for _, e := range s.history(id) {
		if e.GetEventType() == enumspb.EVENT_TYPE_ACTIVITY_TASK_COMPLETED {
			answered = e.GetEventId()
		}
	}
	testenv.Eventually(t, patience, "the other has gone ahead", func() error {
		if got := query[int64](t, dsn, "select last_event_id from tutti.runs")[0]; got < answered {
			return fmt.Errorf("event %d of %d", got, answered)
		}
		return nil
	})
	proxy.Flow()
	s.settled(1)
	before := s.mirror(dsn)
	p, code := s.tutti("projection", "rebuild")
	require.Zero(t, code, p.Output())
	require.Equal(t, before, s.mirror(dsn))

	steps := query[int64](t, dsn, "select last_event_id from audit order by seq")
	require.Greater(t, len(steps), 2)
	require.IsNonDecreasing(t, steps, "the row never goes back")
	require.Equal(t, run.Completed, s.show(id).Status)
	testenv.Seen(t, "%d saves of the row, up to event %d, never back; a rebuild changed nothing", len(steps), steps[len(steps)-1])
}

// rogue runs a workflow of our type that we did not write: it begins as a real run
// does, and its task's activity returns what no activity of ours does.
func (s *stage) rogue(runID string) {
	s.t.Helper()
	w := worker.New(s.temporal, "rogue", worker.Options{})
	w.RegisterActivityWithOptions(func() (int, error) { return 42, nil }, activity.RegisterOptions{Name: "odd"})
	w.RegisterWorkflowWithOptions(func(ctx workflow.Context, _ any) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{ActivityID: "engineer/1", StartToCloseTimeout: time.Minute})
		return workflow.ExecuteActivity(ctx, "odd").Get(ctx, nil)
	}, workflow.RegisterOptions{Name: "tutti.Run"})
	require.NoError(s.t, w.Start())
	defer w.Stop()
	var input map[string]any
	raw := s.must("submit", "x", "--chain", "engineer", "--backend", "provider", "--model", "fake/echo", "--print-input")
	require.NoError(s.t, json.Unmarshal([]byte(raw), &input))
	started, err := s.temporal.ExecuteWorkflow(s.t.Context(), client.StartWorkflowOptions{ID: runID, TaskQueue: "rogue"}, "tutti.Run", input)
	require.NoError(s.t, err)
	require.NoError(s.t, started.Get(s.t.Context(), nil))
}

// C11: a history that cannot be read, in Temporal or in the archive, stops only its
// own run's projection and is named with its event; the others go on.
func TestACorruptedHistoryStopsOnlyItself(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	submit := []string{"x", "--chain", "engineer", "--backend", "provider", "--model", "fake/echo"}
	first := s.detach(submit...)
	require.Equal(t, run.Completed, s.finish(first).Status)
	s.settled(1)
	s.rogue("run-rogue")
	second := s.detach(submit...)
	require.Equal(t, run.Completed, s.finish(second).Status)

	unreadable := "unreadable run-rogue: fold run-rogue: event 7 (ActivityTaskCompleted)"
	testenv.Eventually(t, patience, "the others have their rows", func() error {
		p, code := s.tutti("projection", "verify")
		if code != 1 || !containsAll(p.Stdout(), unreadable, "3 runs: 2 equal") {
			return fmt.Errorf("exit %d: %s", code, p.Output())
		}
		return nil
	})
	require.Contains(t, s.failed(1, "run", "show", "run-rogue"), "event 7")
	require.Contains(t, s.must("run", "list", "-o", "name"), second)

	s.forget(first)
	s.sql(dsn, `update tutti_kept.run_history set history = substr(history, 1, length(history) / 2) where run_id = '`+first+`'`)
	p, code := s.tutti("projection", "verify")
	require.Equal(t, 1, code)
	require.Contains(t, p.Stdout(), unreadable)
	require.Contains(t, p.Stdout(), "unreadable "+first+": the archived history of "+first)
	require.Contains(t, p.Stdout(), "3 runs: 1 equal")
	s.sql(dsn, `delete from tutti.runs where run_id = '`+second+`'`)
	rebuilt := s.must("projection", "rebuild")
	require.Contains(t, rebuilt, "1 runs rebuilt")
	require.Contains(t, rebuilt, unreadable)
	require.Contains(t, s.must("run", "list", "-o", "name"), second)
	require.Contains(t, s.failed(1, "run", "show", first), "archived history")
	testenv.Seen(t, "verify exits %d and names run-rogue with event 7, and a cut archive; the others are equal", code)
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
