package main_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// reset starts a run again after its workflow task number n, counted from 1, as an
// operator does, and returns Temporal's new ID of the run.
func (s *stage) reset(runID string, n int) string {
	s.t.Helper()
	var eventID int64
	for _, e := range s.history(runID) {
		if e.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			n--
		}
		if n == 0 {
			eventID = e.GetEventId()
			break
		}
	}
	require.NotZero(s.t, eventID, "no such workflow task")
	var answer struct{ RunID string }
	raw := s.cli("workflow", "reset", "--workflow-id", runID, "--event-id", strconv.FormatInt(eventID, 10),
		"--reason", "once more", "--output", "json")
	require.NoError(s.t, json.Unmarshal([]byte(raw), &answer), raw)
	require.NotEmpty(s.t, answer.RunID, raw)
	return answer.RunID
}

// row waits until the mirror's row is of this Temporal run and says this status.
func (s *stage) row(dsn, temporalRunID string, status run.Status) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "the row is the new fold", func() error {
		got := s.sql(dsn, `select temporal_run_id || ' ' || status from tutti.runs`)
		if want := temporalRunID + " " + string(status); len(got) != 1 || got[0] != want {
			return fmt.Errorf("%q, not %q", got, want)
		}
		return nil
	})
	s.settled(1)
}

// C12: a run is reset after its end and while it runs, to a workflow task in its
// middle. The row is the new fold, and what was paid for is not bought again.
func TestARunThatIsResetIsItsNewFold(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3} {
		t.Run(fmt.Sprint("after task ", n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			dsn := testenv.Postgres(t)
			s.team(dsn)
			s.write(".tutti/chains/three.yaml", threeModels)
			s.worker()
			id := s.detach("x", "--chain", "three", "--backend", "provider")
			s.called("hold-2", 1)
			repeated := 0
			if n < 3 { // It still runs, and its new life asks again what its old one was asking.
				repeated = 1
				before := s.show(id)
				s.row(dsn, s.reset(id, n), run.Running)
				require.NotEqual(t, before.TemporalRunID, s.show(id).TemporalRunID)
				s.called("hold-2", 2)
			}
			require.NoError(t, s.fake.Release(t.Context(), ""))
			before := s.finish(id)
			require.Equal(t, run.Completed, before.Status)
			require.Equal(t, repeated, before.Usage.CallsUncertain, "what was asked twice is not hidden")
			s.row(dsn, before.TemporalRunID, run.Completed)

			temporalRunID := s.reset(id, n)
			after := s.finish(id)
			require.Equal(t, temporalRunID, after.TemporalRunID)
			require.NotEqual(t, before.TemporalRunID, after.TemporalRunID)
			require.Equal(t, before.FinalMessage, after.FinalMessage)
			s.row(dsn, temporalRunID, run.Completed)
			for model, calls := range map[string]int{"echo-1": 1, "hold-2": 1 + repeated, "echo-3": 1} {
				require.Equal(t, calls, s.calls(model), "an answer that is stored is not bought again: %s", model)
			}
			require.Contains(t, s.must("projection", "rebuild"), "1 runs rebuilt")
			s.row(dsn, temporalRunID, run.Completed)
			testenv.Seen(t, "reset after task %d: row and fold are the new run's, %s, %d calls in flight asked again and counted", n, after.Status, repeated)
		})
	}
}

// C12: a run is reset to before, at and after the workflow task that made its
// prompt. Temporal hands in again what was accepted after that point. Where a
// prompt is there by then, the result counts once more; where none is, the run asks
// for it again, and the same result is taken.
func TestAHostsResultOutlivesAReset(t *testing.T) {
	t.Parallel()
	for n, counts := range map[int]bool{1: false, 2: true, 3: true} {
		t.Run(fmt.Sprint("after task ", n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			dsn := testenv.Postgres(t)
			s.team(dsn)
			w := s.worker()
			id := s.host("x", "--chain", "architect -> reviewer")
			s.next(id)
			s.accepted(id, "architect", "the design")
			s.awaits(id, 1)
			temporalRunID := s.reset(id, n)
			s.row(dsn, temporalRunID, run.AwaitingHost)
			if task := s.show(id).Tasks[0]; counts {
				require.Equal(t, run.TaskDone, task.Status)
				require.Equal(t, "the design", task.Output)
			} else {
				require.Equal(t, run.TaskAwaitingHost, task.Status)
			}

			w.Kill9() // The next worker replays what the reset has left.
			s.worker()
			require.Equal(t, counts, s.accepted(id, "architect", "the design").Duplicate)
			require.Contains(t, s.next(id, "--takeover").User, "the design")
			require.Equal(t, run.Completed, s.accepted(id, "reviewer", "fine").RunStatus)
			s.row(dsn, temporalRunID, run.Completed)
			testenv.Seen(t, "reset after task %d with a result accepted after it: still counts %t, asked for again %t", n, counts, !counts)
		})
	}
}
