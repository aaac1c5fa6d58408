package cli

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
// ends and when. Everything else is real.
type script struct {
	fails   map[string]run.Failure
	outputs map[string]content.Text
	gates   map[string]chan struct{}
}

func newScript() *script {
	return &script{fails: map[string]run.Failure{}, outputs: map[string]content.Text{}, gates: map[string]chan struct{}{}}
}

// hold makes a task wait until the returned function is called, or until it is
// cancelled.
func (s *script) hold(taskID string) (release func()) {
	gate := make(chan struct{})
	s.gates[taskID] = gate
	return sync.OnceFunc(func() { close(gate) })
}

func (s *script) fail(taskID string, code run.Code) {
	s.fails[taskID] = run.Failure{Code: code, Message: "as the script says", Remediation: "change the script", Attempts: 1}
}

func (s *script) register(w worker.ActivityRegistry) {
	w.RegisterActivityWithOptions(s.execute, activity.RegisterOptions{Name: history.ActivityExecute})
	w.RegisterActivityWithOptions(s.prompt, activity.RegisterOptions{Name: history.ActivityPrompt})
}

func (s *script) execute(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
	if err := s.arrive(ctx, in); err != nil {
		return history.TaskResult{}, err
	}
	output, special := s.outputs[in.TaskID]
	if !special {
		output = content.Of("answer of " + in.TaskID)
	}
	tokens := int64(10)
	return history.TaskResult{
		Executor: run.ExecutorProvider(in.Provider, in.Model), Provider: in.Provider, Model: in.Model,
		Prompt: promptFor(in), Output: output, Usage: run.Usage{InputTokens: &tokens, OutputTokens: &tokens},
	}, nil
}

func (s *script) prompt(ctx context.Context, in history.TaskInput) (history.PromptResult, error) {
	return history.PromptResult{Prompt: promptFor(in)}, s.arrive(ctx, in)
}

func (s *script) arrive(ctx context.Context, in history.TaskInput) error {
	if gate := s.gates[in.TaskID]; gate != nil {
		if err := waitAt(ctx, gate); err != nil {
			return err
		}
	}
	if fail := s.fails[in.TaskID]; fail.Code != "" {
		return temporal.NewApplicationErrorWithOptions(fail.Message, string(fail.Code), temporal.ApplicationErrorOptions{
			NonRetryable: true, Details: []any{history.FailureDetail{Failure: fail}},
		})
	}
	return nil
}

func waitAt(ctx context.Context, gate <-chan struct{}) error {
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

func promptFor(in history.TaskInput) run.PromptInfo {
	user := content.Of("do " + in.TaskID)
	return run.PromptInfo{
		Version: in.System.SHA256[:12], SHA256: content.Digest(in.System.Inline + "\x00" + user.Inline),
		Ref: &run.PromptRef{System: in.System, User: user},
	}
}

// planOf is a plan in which each task needs all earlier ones.
func planOf(backend run.Backend, ids ...string) run.Plan {
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
