package run

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
)

var noTime time.Time

func opened(t *testing.T, tasks ...PlannedTask) *Record {
	t.Helper()
	record := &Record{}
	plan := Plan{Tasks: tasks}
	for i := range plan.Tasks {
		plan.Tasks[i].Backend = BackendProvider
	}
	_, _, err := record.Turn([]Stamped{{Event: Started{RunID: "run-1", Plan: &plan}}}, noTime, noTime)
	require.NoError(t, err)
	return record
}

func schedule(t *testing.T, r *Record, ids ...string) {
	t.Helper()
	for _, id := range ids {
		require.NoError(t, r.Apply(TaskScheduled{OfTask: OfTask{id}, Call: 1}, noTime))
	}
}

func answered(id string) Stamped {
	return Stamped{Event: TaskAnswered{OfTask: OfTask{id}, Output: content.Of("out of " + id)}}
}

func failedTask(id string) Stamped {
	return Stamped{Event: TaskErrored{OfTask: OfTask{id}, Failure: Failure{Code: CodeAuth}}}
}

func TestATurnAppliesOutcomesByTaskAndTheCancellationLast(t *testing.T) {
	t.Parallel()
	r := opened(t, PlannedTask{ID: "a"}, PlannedTask{ID: "b"}, PlannedTask{ID: "c", Needs: []string{"a", "b"}})
	schedule(t, r, "a", "b")
	starts, applied, err := r.Turn([]Stamped{{Event: CancelRequested{}}, answered("b"), answered("a")}, noTime, noTime)
	require.NoError(t, err)
	require.Empty(t, starts.Start)
	var order []string
	for _, s := range applied {
		order = append(order, TypeOf(s.Event)+" "+s.Event.Task())
	}
	require.Equal(t, []string{"task-answered a", "task-answered b", "cancel-requested ", "task-cancelled c", "run-closed "}, order)
	require.Equal(t, Cancelled, r.Status)
	require.Equal(t, TaskDone, r.Tasks[0].Status, "a result that came with the cancellation counts")
}

func TestATaskStartsWhenAllItNeedsHasEnded(t *testing.T) {
	t.Parallel()
	r := opened(t, PlannedTask{ID: "last", Needs: []string{"x", "y"}}, PlannedTask{ID: "x"}, PlannedTask{ID: "y"})
	require.Equal(t, Running, r.Status)
	require.Equal(t, []string{"x", "y"}, r.ready())
	schedule(t, r, "x", "y")
	starts, _, err := r.Turn([]Stamped{answered("x")}, noTime, noTime)
	require.NoError(t, err)
	require.Empty(t, starts.Start)
	starts, _, err = r.Turn([]Stamped{answered("y")}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"last"}, starts.Start)
}

func TestASkipReachesWhatNeedsASkippedTaskWhateverTheOrder(t *testing.T) {
	t.Parallel()
	r := opened(t,
		PlannedTask{ID: "d", Needs: []string{"c"}}, PlannedTask{ID: "c", Needs: []string{"b"}},
		PlannedTask{ID: "b", Needs: []string{"a"}}, PlannedTask{ID: "a"},
		PlannedTask{ID: "e", Needs: []string{"d"}, Continue: true})
	schedule(t, r, "a")
	starts, _, err := r.Turn([]Stamped{failedTask("a")}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, []string{"e"}, starts.Start, "a task that continues runs although what it needs was skipped")
	for _, id := range []string{"b", "c", "d"} {
		require.Equal(t, TaskSkipped, r.TaskByID(id).Status)
		require.Equal(t, SkipUpstreamFailed, r.TaskByID(id).SkipReason)
	}
}

func TestOneTurnStartsABoundedNumberOfTasks(t *testing.T) {
	t.Parallel()
	var tasks []PlannedTask
	for i := range 2*MaxStartsPerTurn + 1 {
		tasks = append(tasks, PlannedTask{ID: fmt.Sprint("t", i)})
	}
	r := opened(t, tasks...)
	require.Len(t, r.ready(), MaxStartsPerTurn)
}

// Whatever the graph, the outcomes and their grouping into batches, a run ends,
// all its tasks have ended, and no impossible transition is asked for.
func TestRandomRunsEndWithAllTasksEnded(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := opened(t, randomGraph(random)...)
		running := r.ready()
		schedule(t, r, running...)
		for turns := 0; !r.Status.IsTerminal(); turns++ {
			require.Less(t, turns, 1000, "seed %d does not end", seed)
			batch, rest := randomBatch(random, running, r.CancelRequested)
			starts, _, err := r.Turn(batch, noTime, noTime)
			require.NoError(t, err, "seed %d", seed)
			schedule(t, r, starts.Start...)
			running = slices.Concat(rest, starts.Start)
		}
		require.True(t, r.isFinished(), "seed %d: %s leaves tasks open", seed, r.Status)
		status, _ := Finalize(r)
		require.Equal(t, status, r.Status)
	}
}

func randomGraph(random *rand.Rand) []PlannedTask {
	tasks := make([]PlannedTask, 1+random.IntN(12))
	for i := range tasks {
		tasks[i] = PlannedTask{ID: fmt.Sprint("t", i), Continue: random.IntN(4) == 0}
		for j := range i {
			if random.IntN(3) == 0 {
				tasks[i].Needs = append(tasks[i].Needs, fmt.Sprint("t", j))
			}
		}
	}
	random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	return tasks
}

func randomBatch(random *rand.Rand, running []string, cancelled bool) (batch []Stamped, rest []string) {
	for i, id := range running {
		if i > 0 && random.IntN(2) == 0 {
			rest = append(rest, id)
			continue
		}
		switch random.IntN(4) {
		case 0:
			batch = append(batch, failedTask(id))
		case 1:
			batch = append(batch, Stamped{Event: TaskStopped{OfTask: OfTask{id}}})
		default:
			batch = append(batch, answered(id))
		}
	}
	if !cancelled && random.IntN(10) == 0 {
		batch = append(batch, Stamped{Event: CancelRequested{}})
	}
	random.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	return batch, rest
}
