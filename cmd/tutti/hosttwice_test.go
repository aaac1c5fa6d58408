package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/converter"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// H2: two parallel tasks are handed in at once, a hundred times: five times by two
// processes, the others by the client that those use, many runs at a time.
func TestTwoParallelTasksHandedInAtOnceBothCount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/parallel.yaml", parallel)
	s.worker()
	for i := range 5 {
		id := s.detach("x", "--chain", "parallel", "--backend", "host")
		tasks := []string{s.session("one").next(id).TaskID, s.session("two").next(id).TaskID}
		require.ElementsMatch(t, []string{"architect", "engineer"}, tasks)
		together(2, func(i int) { s.session([]string{"one", "two"}[i]).accepted(id, tasks[i], "result of "+tasks[i]) })
		s.accepted(id, "reviewer", "result of reviewer")
		s.bothCounted(id, fmt.Sprint("by processes, round ", i))
	}

	var input history.RunInput
	require.NoError(t, json.Unmarshal([]byte(s.must("submit", "x", "--chain", "parallel", "--backend", "host", "--print-input")), &input))
	client := runs.New(s.temporal, runs.Options{Namespace: s.namespace})
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(10)
	started := make([]string, 95)
	for i := range started {
		group.Go(func() (err error) {
			started[i], err = twice{client}.round(ctx, input)
			return err
		})
	}
	require.NoError(t, group.Wait())
	for i, id := range started {
		s.bothCounted(id, fmt.Sprint("by the client, round ", i))
	}
	testenv.Seen(t, "%d runs, both results in each, each finalised once", 5+len(started))
}

// bothCounted looks at a run that has ended.
func (s *stage) bothCounted(runID, when string) {
	s.t.Helper()
	events := s.history(runID)
	folded, err := history.Fold(runID, "", events, converter.GetDefaultDataConverter())
	require.NoError(s.t, err, when)
	r := folded.Record
	require.Equal(s.t, run.Completed, r.Status, when)
	for _, task := range r.Tasks {
		require.Equal(s.t, "result of "+task.ID, task.Output, when)
	}
	closed := 0
	for _, e := range folded.Events {
		if _, ok := e.Event.(run.Closed); ok {
			closed++
		}
	}
	ended := 0
	for _, e := range events {
		if e.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED {
			ended++
		}
	}
	require.Equal(s.t, []int{1, 1}, []int{closed, ended}, "%s: finalised once", when)
}

// twice plays two hosts that hand in at the same time, without a process for each step.
type twice struct{ client *runs.Client }

func (w twice) round(ctx context.Context, input history.RunInput) (string, error) {
	started, err := w.client.Start(ctx, runs.Start{Input: input})
	if err != nil {
		return "", err
	}
	id := started.RunID
	if err := w.until(ctx, id, "architect", "engineer"); err != nil {
		return id, err
	}
	both, ctx2 := errgroup.WithContext(ctx)
	for _, task := range []string{"architect", "engineer"} {
		both.Go(func() error { return w.submit(ctx2, id, task) })
	}
	if err := both.Wait(); err != nil {
		return id, err
	}
	if err := w.until(ctx, id, "reviewer"); err != nil {
		return id, err
	}
	return id, w.submit(ctx, id, "reviewer")
}

// until follows a run until these tasks wait for a host.
func (w twice) until(ctx context.Context, id string, tasks ...string) error {
	return w.client.Follow(ctx, "default", id, func(f history.Folded) (bool, error) {
		return slices.ContainsFunc(tasks, func(task string) bool {
			t := f.Record.TaskByID(task)
			return t == nil || t.Status != run.TaskAwaitingHost
		}), nil
	})
}

func (w twice) submit(ctx context.Context, id, task string) error {
	verdict, err := w.client.Submit(ctx, "default", id, history.HostResult{
		TaskID: task, Outcome: run.OutcomeDone, Output: "result of " + task,
		SubmittedBy: "ada/" + task, SubmissionID: uuid.NewString(),
	})
	if err == nil && (verdict.Pending || verdict.Duplicate) {
		err = fmt.Errorf("%s of %s: %+v", task, id, verdict)
	}
	return err
}
