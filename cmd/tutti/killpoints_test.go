package main_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// diamond is a chain in which each task has a model of its own that answers when
// it is released. The test releases them in this order, one a workflow task.
const diamond = `name: diamond
description: one, two side by side, one
tasks:
  - {specialist: architect, model: fake/hold-1}
  - {specialist: engineer, needs: [architect], model: fake/hold-2}
  - {specialist: security, needs: [architect], model: fake/hold-3}
  - {specialist: reviewer, needs: [engineer, security], model: fake/hold-4}
`

var diamondModels = []string{"hold-1", "hold-2", "hold-3", "hold-4"}

// walk is one run of the diamond whose worker is killed after a workflow task.
type walk struct {
	*stage
	id string
	// victim starts the worker that is killed and started again.
	victim func() *testenv.Process
	worker *testenv.Process
	// killAt is the workflow task after which it is killed, counted from 1; 0 is never.
	killAt int
	// late starts the victim again only when the next answer was let go, so that
	// the answer reaches a run that has no worker.
	late bool
}

// startWalk starts the workers and the run.
func startWalk(t *testing.T, killAt int, apart bool) *walk {
	t.Helper()
	w := &walk{stage: newStage(t), killAt: killAt, late: apart}
	w.write(".tutti/chains/diamond.yaml", diamond)
	w.victim = func() *testenv.Process { return w.stage.worker() }
	if apart {
		w.stage.worker("--only", "activities")
		w.victim = func() *testenv.Process { return w.stage.worker("--only", "workflows") }
	}
	w.worker = w.victim()
	w.id = w.detach("x", "--chain", "diamond", "--backend", "provider")
	return w
}

// finishWalk releases the answers one by one and kills where it was told to.
func (w *walk) finishWalk() run.Record {
	w.t.Helper()
	for i, model := range diamondModels {
		w.taskCompleted(i + 1)
		killed := w.killAt == i+1
		if killed {
			w.worker.Kill9()
		}
		if killed && !w.late {
			w.worker = w.victim()
		}
		w.called(model, 1)
		require.NoError(w.t, w.fake.Release(w.t.Context(), model))
		if killed && w.late {
			w.worker = w.victim()
		}
	}
	last := len(diamondModels) + 1
	w.taskCompleted(last)
	if w.killAt == last {
		w.worker.Kill9()
		w.worker = w.victim()
	}
	record := w.finish(w.id)
	w.settled(1)
	return record
}

// taskCompleted follows the history until so many workflow tasks have completed.
func (w *walk) taskCompleted(n int) {
	w.t.Helper()
	it := w.temporal.GetWorkflowHistory(w.t.Context(), w.id, "", true, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for it.HasNext() {
		e, err := it.Next()
		require.NoError(w.t, err)
		if e.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			n--
		}
		if n == 0 {
			return
		}
	}
	require.Fail(w.t, "the run has ended before", "%d workflow tasks are missing", n)
}

// undisturbed are the types of a history's events without the workflow tasks that
// did not complete, which is all that a dead workflow worker may leave behind.
func undisturbed(events []*historypb.HistoryEvent) (types []string) {
	lost := map[int64]bool{}
	for _, e := range events {
		if a := e.GetWorkflowTaskTimedOutEventAttributes(); a != nil {
			lost[e.GetEventId()], lost[a.GetScheduledEventId()], lost[a.GetStartedEventId()] = true, true, true
		}
	}
	for _, e := range events {
		if !lost[e.GetEventId()] {
			types = append(types, e.GetEventType().String())
		}
	}
	return types
}

// killPoints are the workflow tasks that the control's history has, from 1.
func (w *walk) killPoints() (points []int) {
	for _, e := range w.history(w.id) {
		if e.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
			points = append(points, len(points)+1)
		}
	}
	return points
}

// undated is a record without IDs and times.
func undated(t *testing.T, r run.Record) string {
	t.Helper()
	r.RunID, r.TemporalRunID, r.LastEventID = "", "", 0
	r.CreatedAt, r.StartedAt, r.UpdatedAt, r.FinishedAt = nil, nil, nil, nil
	for i := range r.Tasks {
		task := &r.Tasks[i]
		task.StartedAt, task.FinishedAt = nil, nil
		if task.ProviderMeta != nil {
			task.ProviderMeta.ElapsedMS = 0
		}
	}
	raw, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(raw)
}

// sideBySide runs a subtest for each item, all at the same time. They wait for
// timeouts of the server more than they work, so they need no slots of the tests
// that run in parallel.
func sideBySide[T any](t *testing.T, items []T, test func(t *testing.T, item T)) {
	t.Helper()
	together(len(items), func(i int) {
		t.Run(fmt.Sprint(items[i]), func(t *testing.T) { test(t, items[i]) })
	})
}

// C1: the workflow worker is killed after each workflow task of the control's
// history, while the activity worker, another process, lives on.
func TestAWorkflowWorkerKilledAfterAnyWorkflowTaskChangesNothing(t *testing.T) {
	t.Parallel()
	control := startWalk(t, 0, true)
	want := control.finishWalk()
	require.Equal(t, run.Completed, want.Status)
	types, record := undisturbed(control.history(control.id)), undated(t, want)
	require.Len(t, control.history(control.id), len(types), "nothing disturbed the control")

	points := control.killPoints()
	require.Len(t, points, len(diamondModels)+1)
	for _, model := range diamondModels {
		require.Equal(t, 1, control.calls(model), model)
	}
	sideBySide(t, points, func(t *testing.T, point int) {
		w := startWalk(t, point, true)
		got := w.finishWalk()
		require.Equal(t, record, undated(t, got))
		require.Equal(t, types, undisturbed(w.history(w.id)))
		for _, model := range diamondModels {
			require.Equal(t, 1, w.calls(model), model)
		}
	})
	testenv.Seen(t, "killed after each of %d workflow tasks: %d events and %d calls as the control, every time", len(points), len(types), len(diamondModels))
}

// C1b: the same walk with one process for everything. A task that had finished is
// not called again; of one in flight the record says that it may have been.
func TestAWorkerKilledAfterAnyWorkflowTaskRepeatsAtMostWhatWasInFlight(t *testing.T) {
	t.Parallel()
	control := startWalk(t, 0, false)
	want := control.finishWalk()
	require.Equal(t, run.Completed, want.Status)
	points := control.killPoints()
	require.Len(t, points, len(diamondModels)+1)
	// After the first, second, … workflow task these are in flight.
	flying := [][]string{{"hold-1"}, {"hold-2", "hold-3"}, {"hold-3"}, {"hold-4"}, nil}
	sideBySide(t, points, func(t *testing.T, point int) {
		w := startWalk(t, point, false)
		record := w.finishWalk()
		require.Equal(t, run.Completed, record.Status)
		require.Equal(t, want.FinalMessage, record.FinalMessage)
		hidden := record.Usage.CallsUncertain
		for i, model := range diamondModels {
			calls, uncertain := w.calls(model), record.Tasks[i].Usage.CallsUncertain
			hidden -= uncertain
			require.Equal(t, want.Tasks[i].Output, record.Tasks[i].Output)
			if !slices.Contains(flying[point-1], model) {
				require.Equal(t, 1, calls, "%s had finished or not begun", model)
				require.Zero(t, uncertain, model)
				continue
			}
			require.LessOrEqual(t, calls, 2, model)
			require.GreaterOrEqual(t, uncertain, calls-1, "%s: a repeated call is not hidden", model)
			require.LessOrEqual(t, uncertain, 1, model)
		}
		require.Zero(t, hidden, "the run counts what its tasks count")
	})
	testenv.Seen(t, "killed after each of %d workflow tasks: only what was in flight was called twice, and each such call is counted", len(points))
}
