package workflows_test

import (
	"context"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// script stands in for the activities, so that a test decides how each task
// ends and when. Everything else is the real server and the real SDK.
type script struct {
	mu      sync.Mutex
	models  map[string]run.Failure // by model, each time
	once    map[string]run.Failure // by task, the first time
	pollers int
	stored  map[string]string
	fails   map[string]run.Failure
	gates   map[string]chan struct{}
	inputs  map[string]history.TaskInput
	calls   map[string]int
	outputs map[string]content.Text // by task, instead of a short answer

	storeFails int // how often the store is away before it takes a text
}

func newScript() *script {
	return &script{
		fails: map[string]run.Failure{}, gates: map[string]chan struct{}{},
		inputs: map[string]history.TaskInput{}, calls: map[string]int{},
		stored: map[string]string{}, models: map[string]run.Failure{}, once: map[string]run.Failure{},
		outputs: map[string]content.Text{},
	}
}

// hold makes the task wait until the returned function is called, or until it
// is cancelled.
func (s *script) hold(taskID string) (release func()) {
	gate := make(chan struct{})
	s.gates[taskID] = gate
	return sync.OnceFunc(func() { close(gate) })
}

func (s *script) fail(taskID string, code run.Code) {
	s.fails[taskID] = run.Failure{Code: code, Message: "as the script says", Attempts: 1}
}

func (s *script) register(w worker.ActivityRegistry) {
	w.RegisterActivityWithOptions(s.execute, activity.RegisterOptions{Name: history.ActivityExecute})
	w.RegisterActivityWithOptions(s.prompt, activity.RegisterOptions{Name: history.ActivityPrompt})
	w.RegisterActivityWithOptions(s.store, activity.RegisterOptions{Name: history.ActivityStore})
	w.RegisterActivityWithOptions(s.queue, activity.RegisterOptions{Name: history.ActivityQueue})
	w.RegisterActivityWithOptions(s.plan, activity.RegisterOptions{Name: history.ActivityPlan})
}

func (s *script) execute(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
	if err := s.arrive(ctx, in); err != nil {
		return history.TaskResult{}, err
	}
	var degradations []run.Degradation
	if len(in.FallenBack) > 0 {
		degradations = []run.Degradation{{Reason: run.DegradedSameFamilyFallback}}
	}
	tokens := int64(10)
	output, special := s.outputs[in.TaskID]
	if !special {
		output = content.Of("answer of " + in.TaskID)
	}
	return history.TaskResult{
		Executor: run.ExecutorProvider(in.Provider, in.Model), Provider: in.Provider, Model: in.Model,
		Prompt: promptOf(in), Output: output,
		Usage:  run.Usage{InputTokens: &tokens, OutputTokens: &tokens},
		Charge: run.Charge{CostUSD: "0.01", Tokens: 20}, Degradations: degradations,
	}, nil
}

func (s *script) prompt(ctx context.Context, in history.TaskInput) (history.PromptResult, error) {
	return history.PromptResult{Prompt: promptOf(in)}, s.arrive(ctx, in)
}

func (s *script) plan(_ context.Context, in history.RunInput) (history.PlanResult, error) {
	if strings.Contains(in.Chain, "nonsense") {
		return history.PlanResult{}, failure(run.Failure{Code: run.CodeChainInvalid, Message: "no such chain"})
	}
	return history.PlanResult{TenantID: "default", PrincipalID: "alice", Plan: listPlan(run.BackendProvider, "engineer")}, nil
}

func (s *script) store(_ context.Context, in history.StoreInput) (history.StoreResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.storeFails--; s.storeFails >= 0 {
		return history.StoreResult{}, failure(run.Failure{Code: run.CodeContent, Message: "as the script says"})
	}
	s.stored[in.TaskID] = in.Text
	return history.StoreResult{Text: content.Of(in.Text).Ref()}, nil
}

func (s *script) queue(context.Context, history.QueueInput) (history.QueueResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return history.QueueResult{Pollers: s.pollers}, nil
}

func (s *script) arrive(ctx context.Context, in history.TaskInput) error {
	s.mu.Lock()
	s.inputs[in.TaskID] = in
	s.calls[in.TaskID]++
	gate, fail := s.gates[in.TaskID], s.fails[in.TaskID]
	if f, ok := s.models[in.Model]; ok {
		fail = f
	}
	if f, ok := s.once[in.TaskID]; ok && s.calls[in.TaskID] == 1 {
		fail = f
	}
	s.mu.Unlock()
	if gate != nil {
		if err := waitAtGate(ctx, gate); err != nil {
			return err
		}
	}
	if fail.Code != "" {
		return failure(fail)
	}
	return nil
}

func waitAtGate(ctx context.Context, gate <-chan struct{}) error {
	beat := time.NewTicker(50 * time.Millisecond)
	defer beat.Stop()
	for {
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return temporal.NewCanceledError()
		case <-beat.C:
			activity.RecordHeartbeat(ctx)
		}
	}
}

func failure(f run.Failure) error {
	return temporal.NewApplicationErrorWithOptions(f.Message, string(f.Code), temporal.ApplicationErrorOptions{
		NonRetryable: true, Details: []any{history.FailureDetail{Failure: f}},
	})
}

func promptOf(in history.TaskInput) run.PromptInfo {
	user := content.Of("do " + in.TaskID)
	return run.PromptInfo{
		Version: in.System.SHA256[:12], SHA256: content.Digest(in.System.Inline + "\x00" + user.Inline),
		Ref: &run.PromptRef{System: in.System, User: user},
	}
}

// listPlan is a plan in which each task needs all earlier ones.
func listPlan(backend run.Backend, ids ...string) run.Plan {
	plan := run.Plan{Chain: run.ChainRef{Name: strings.Join(ids, " -> "), Version: "1.0.0+h000000000000"}, PromptFormat: 1}
	for i, id := range ids {
		plan.Specialists = append(plan.Specialists, run.PinnedSpecialist{
			SpecialistRef: run.SpecialistRef{Name: id}, Prompt: content.Of("You are the " + id + "."),
		})
		task := run.PlannedTask{ID: id, Specialist: id, Needs: append([]string{}, ids[:i]...), Backend: backend}
		if backend == run.BackendProvider {
			task.Provider, task.Model = "demo", "echo"
		}
		plan.Tasks = append(plan.Tasks, task)
	}
	return plan
}
