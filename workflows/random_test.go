package workflows_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

var (
	lives = flag.Int("lives", 30, "how many random runs to live through on the server")
	seed  = flag.Uint64("seed", rand.Uint64(), "what the random runs begin with")
)

// Random graphs with random outcomes live on the real server, while hosts and
// operators send what they like and the workflow worker comes and goes, which brings
// many inputs into one workflow task. At every moment of every life the workflow's
// record is the fold, and its end leaves no task open.
func TestRandomLivesFoldLikeTheWorkflow(t *testing.T) {
	t.Parallel()
	t.Logf("again with: -run RandomLives -seed %d", *seed)
	s, d := newStage(t), newDice(*seed)
	activities := worker.New(s.client, s.queue, worker.Options{DisableWorkflowWorker: true})
	d.register(activities)
	require.NoError(t, activities.Start())
	t.Cleanup(activities.Stop)
	stop := s.comesAndGoes()

	ids := make([]string, *lives)
	for i := range ids {
		ids[i] = s.start(d.plan())
	}
	for range 2 {
		s.disturbAll(d, ids, 2)
		stop()
		s.disturbByNote(d, ids)
		stop = s.comesAndGoes()
	}
	s.finishAll(ids)

	moments := 0
	for _, id := range ids {
		events := s.history(id)
		execution := workflow.Execution{ID: id, RunID: events[0].GetWorkflowExecutionStartedEventAttributes().GetOriginalExecutionRunId()}
		moments += requireAgreementThroughout(t, events, execution)
		record := s.finished(id)
		for _, task := range record.Tasks {
			require.True(t, task.Status.IsTerminal(), "%s: %s is %s", id, task.ID, task.Status)
		}
	}
	testenv.Seen(t, "%d lives, %d moments, seed %d", len(ids), moments, *seed)
	require.Greater(t, moments, 3*len(ids), "the lives were too short to show anything")
}

// comesAndGoes is a workflow worker that finishes what it has in hand and is missed
// soon when it has gone.
func (s *stage) comesAndGoes() (stop func()) {
	s.t.Helper()
	w := worker.New(s.client, s.queue, worker.Options{
		LocalActivityWorkerOnly: true, StickyScheduleToStartTimeout: time.Second, WorkerStopTimeout: 5 * time.Second,
	})
	register(w, nil)
	require.NoError(s.t, w.Start())
	s.t.Cleanup(w.Stop)
	return w.Stop
}

// disturbAll sends every run some things, to all runs at once.
func (s *stage) disturbAll(d *dice, ids []string, each int) {
	s.t.Helper()
	group, ctx := errgroup.WithContext(s.t.Context())
	group.SetLimit(20)
	for _, id := range ids {
		group.Go(func() error {
			for range each {
				if err := d.disturb(ctx, s, id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(s.t, group.Wait())
}

// disturbByNote sends what needs no worker: signals and cancellations.
func (s *stage) disturbByNote(d *dice, ids []string) {
	s.t.Helper()
	for _, id := range ids {
		var err error
		for range d.below(3) {
			err = errors.Join(err, s.client.SignalWorkflow(s.t.Context(), id, "", history.SignalResult, history.HostResult{
				TaskID: oneOf(d, "t0", "t1", "t2"), Outcome: run.OutcomeDone, Output: oneOf(d, "a", "c"), SubmittedBy: "alice/note",
			}))
		}
		if d.below(12) == 0 {
			err = errors.Join(err, s.client.CancelWorkflow(s.t.Context(), id, ""))
		}
		if !isGone(err) {
			require.NoError(s.t, err)
		}
	}
}

// finishAll is a host that does what is left, in all runs, until they have ended.
func (s *stage) finishAll(ids []string) {
	s.t.Helper()
	group, ctx := errgroup.WithContext(s.t.Context())
	for _, id := range ids {
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			return s.runs.Follow(ctx, "default", id, func(f history.Folded) (bool, error) {
				return true, s.answer(ctx, id, f.Record.Tasks)
			})
		})
	}
	require.NoError(s.t, group.Wait())
}

// answer hands in a result for each task that waits, with whatever claim there is.
func (s *stage) answer(ctx context.Context, id string, tasks []run.Task) error {
	for _, task := range tasks {
		if task.Status != run.TaskAwaitingHost {
			continue
		}
		result := history.HostResult{TaskID: task.ID, Outcome: run.OutcomeDone, Output: "at last"}
		if task.Host != nil {
			result.ClaimToken = task.Host.ClaimToken
		}
		if err := s.client.SignalWorkflow(ctx, id, "", history.SignalResult, result); err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}

// isGone recognises that a run has ended meanwhile.
func isGone(err error) bool {
	var gone *serviceerror.NotFound
	return errors.As(err, &gone)
}
