package app_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

// threeTasks is a wish that the demo provider fulfils, with a text that is too
// long to travel inline.
func threeTasks() plan.Wish {
	return plan.Wish{
		Request: "design a rate limiter", Chain: "architect -> engineer -> reviewer",
		Backend: "provider", Model: "demo/echo",
		Attachments: []plan.Attachment{{Name: "notes.md", Text: strings.Repeat("a note; ", 2000)}},
	}
}

// durably runs a wish on the real server, with a worker of this process.
func durably(t *testing.T, w plan.Wish) run.Record {
	t.Helper()
	s := newSurroundings(t)
	s.variables["TEMPORAL_NAMESPACE"], s.variables["TEMPORAL_ADDRESS"] = testenv.Namespace(t), testenv.Temporal(t)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	working, ready := make(chan error, 1), make(chan struct{})
	worker := s.open()
	go func() {
		working <- worker.Worker(ctx, app.WorkerOptions{Timing: workflows.DevTiming(), Ready: func(app.Polling) { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-working)
	})
	select {
	case <-ready:
	case err := <-working:
		working <- nil
		require.NoError(t, err, "the worker did not start")
	}

	a := s.open()
	made, err := a.Make(ctx, w)
	require.NoError(t, err)
	started, err := a.Start(ctx, made, "")
	require.NoError(t, err)
	c, err := a.Runs(ctx)
	require.NoError(t, err)
	var last run.Record
	require.NoError(t, c.Follow(ctx, a.Config.Tenant, started.RunID, func(f history.Folded) (bool, error) {
		last = f.Record
		return true, nil
	}))
	return last
}

// withoutPlace is a record without what differs between two executions of one
// wish: IDs, times, how long it took and the provider's request IDs.
func withoutPlace(t *testing.T, r run.Record) string {
	t.Helper()
	require.NotEmpty(t, r.RunID)
	r.RunID, r.TemporalRunID, r.LastEventID = "", "", 0
	r.CreatedAt, r.StartedAt, r.UpdatedAt, r.FinishedAt = nil, nil, nil, nil
	for i := range r.Tasks {
		task := &r.Tasks[i]
		task.StartedAt, task.FinishedAt = nil, nil
		require.NotNil(t, task.ProviderMeta)
		task.ProviderMeta.ElapsedMS, task.ProviderMeta.RequestID = 0, ""
	}
	raw, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(raw)
}

func TestTheEvaluationMakesTheDurableRecordWithoutAnyNetwork(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t) // Temporal and Ollama are nowhere, and so is the database.
	s.variables["DATABASE_URL"], s.variables["TUTTI_STORE"] = "postgres://nobody@"+nowhere+"/none", "postgres"
	evaluated, err := s.open().Evaluate(t.Context(), threeTasks())
	require.NoError(t, err)
	require.Equal(t, run.Completed, evaluated.Record.Status, "%+v", evaluated.Record.Error)
	require.Len(t, evaluated.Record.Tasks, 3)
	for _, task := range evaluated.Record.Tasks {
		require.Equal(t, "provider:demo:echo", task.Executor)
		require.NotEmpty(t, task.Output)
	}
	entries, err := os.ReadDir(s.home)
	require.NoError(t, err)
	require.Empty(t, entries, "nothing survives it")

	durable := durably(t, threeTasks())
	require.Empty(t, cmp.Diff(withoutPlace(t, durable), withoutPlace(t, evaluated.Record)),
		"the durable record (-) and the evaluated one (+) differ")
}

func TestTheEventsOfAnEvaluationMakeItsRecord(t *testing.T) {
	t.Parallel()
	evaluated, err := newSurroundings(t).open().Evaluate(t.Context(), threeTasks())
	require.NoError(t, err)
	var again run.Record
	for _, e := range evaluated.Events {
		require.NoError(t, again.Apply(e.Event, e.At))
	}
	require.Equal(t, run.TypeOf(run.Closed{}), run.TypeOf(evaluated.Events[len(evaluated.Events)-1].Event))
	require.Equal(t, withoutPlace(t, evaluated.Record), withoutPlace(t, again))
}

func TestAWishThatCannotBeIsRefusedBeforeAnEvaluation(t *testing.T) {
	t.Parallel()
	w := threeTasks()
	w.Chain = "architect -> nobody"
	_, err := newSurroundings(t).open().Evaluate(t.Context(), w)
	var refused *app.WishError
	require.ErrorAs(t, err, &refused)
}
