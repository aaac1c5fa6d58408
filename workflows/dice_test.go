package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// dice decide what chance decides, for many at once.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
}

func newDice(seed uint64) *dice { return &dice{random: rand.New(rand.NewPCG(seed, 7))} }

func (d *dice) below(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.IntN(n)
}

func oneOf[V any](d *dice, of ...V) V { return of[d.below(len(of))] }

// plan is a random graph of up to six tasks of all backends.
func (d *dice) plan() run.Plan {
	plan := listPlan(run.BackendInline, "architect")
	plan.Tasks = nil
	plan.HostTimeoutMS = oneOf(d, int64(0), 0, 0, 500)
	if d.below(3) == 0 {
		limit := fmt.Sprintf("0.0%d", 1+d.below(9))
		plan.Budget.MaxCostUSD = &limit
	}
	for i := range 1 + d.below(6) {
		task := run.PlannedTask{
			ID: fmt.Sprint("t", i), Specialist: "architect", Continue: d.below(3) == 0,
			Backend: oneOf(d, run.BackendHost, run.BackendHost, run.BackendProvider, run.BackendProvider, run.BackendInline),
		}
		if task.Backend == run.BackendProvider {
			task.ModelChoice = d.choice()
			if d.below(2) == 0 {
				task.Fallbacks = []run.ModelChoice{d.choice()}
			}
		}
		for j := range i {
			if d.below(3) == 0 {
				task.Needs = append(task.Needs, fmt.Sprint("t", j))
			}
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}

func (d *dice) choice() run.ModelChoice {
	choice := run.ModelChoice{Provider: "demo", Model: "echo", Ceiling: 10_000, Price: &run.Price{ID: "x", Input: "0", Output: "1"}}
	if d.below(12) == 0 {
		choice.Queue = "tutti-provider-nobody"
	}
	return choice
}

// register stands in for the activities.
func (d *dice) register(w worker.ActivityRegistry) {
	s := newScript()
	w.RegisterActivityWithOptions(func(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
		if code := oneOf(d, "", "", "", "", run.CodeAuth, run.CodeServerError, run.CodeTimeout, run.CodeBudget); code != "" {
			return history.TaskResult{}, failure(run.Failure{Code: code, Message: "as the dice fell"})
		}
		result, err := s.execute(ctx, in)
		if d.below(4) == 0 {
			result.Degradations = []run.Degradation{{Reason: run.DegradedSameFamilyFallback}}
		}
		return result, err
	}, activity.RegisterOptions{Name: history.ActivityExecute})
	w.RegisterActivityWithOptions(func(ctx context.Context, in history.TaskInput) (history.PromptResult, error) {
		if d.below(15) == 0 {
			return history.PromptResult{}, failure(run.Failure{Code: run.CodeInternal, Message: "as the dice fell"})
		}
		return s.prompt(ctx, in)
	}, activity.RegisterOptions{Name: history.ActivityPrompt})
	w.RegisterActivityWithOptions(s.store, activity.RegisterOptions{Name: history.ActivityStore})
	w.RegisterActivityWithOptions(func(context.Context, history.QueueInput) (history.QueueResult, error) {
		return history.QueueResult{Pollers: d.below(2)}, nil
	}, activity.RegisterOptions{Name: history.ActivityQueue})
}

// disturb sends a run one thing that hosts and operators send, sense or nonsense. A
// refusal is as good an answer as any.
func (d *dice) disturb(ctx context.Context, s *stage, runID string) error {
	task, holder := fmt.Sprint("t", d.below(7)), oneOf(d, "alice/one", "alice/two")
	result := history.HostResult{
		TaskID: task, Outcome: oneOf(d, run.OutcomeDone, run.OutcomeDone, run.OutcomeFailed, "perhaps"),
		Output:      oneOf(d, "a", "b", "", strings.Repeat("0123456789", 1000)),
		SubmittedBy: holder, ClaimToken: int64(d.below(3)), SubmissionID: uuid.NewString(),
	}
	var err error
	switch d.below(12) {
	case 0, 1, 2, 3:
		_, err = s.runs.Submit(ctx, "default", runID, result)
	case 4, 5, 6:
		err = s.client.SignalWorkflow(ctx, runID, "", history.SignalResult, result)
	case 7:
		err = s.client.SignalWorkflow(ctx, runID, "", history.SignalResult, "this is no result")
	case 8, 9, 10:
		_, err = s.runs.Claim(ctx, runID, run.ClaimRequest{
			TaskID: oneOf(d, "", task), Holder: holder, LeaseSeconds: oneOf(d, 0, 1), Takeover: d.below(2) == 0,
		})
	default:
		if d.below(4) == 0 {
			err = s.runs.Cancel(ctx, runID)
		}
	}
	var rejected *run.Rejection
	if errors.As(err, &rejected) || errors.Is(err, runs.ErrNotFound) || errors.Is(err, runs.ErrNoWorker) || isGone(err) {
		return nil
	}
	return err
}
