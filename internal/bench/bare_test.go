package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

const (
	bareWorkflow   = "bench.Bare"
	byHandWorkflow = "bench.ByHand"
	byHandActivity = "AskModel"
	goOn           = "go-on"
)

// job is the input of a workflow that somebody writes by hand: steps in stages,
// those of a stage side by side.
type job struct {
	Request string   `json:"request"`
	Stages  [][]step `json:"stages"`
	// Waits says that the workflow makes the prompt and waits for a signal.
	Waits bool `json:"waits,omitempty"`
}

type step struct {
	ID     string `json:"id"`
	System string `json:"system"`
	Model  string `json:"model"`
}

// options are what such a workflow would set, as tutti does.
func options(ctx workflow.Context, id string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ActivityID: id, StartToCloseTimeout: 12 * time.Minute, HeartbeatTimeout: 30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{MaximumAttempts: 3},
	})
}

// runBare calls tutti's own activities and does nothing else.
func runBare(ctx workflow.Context, in job) (string, error) {
	id := workflow.GetInfo(ctx).WorkflowExecution.ID
	var upstream []history.Upstream
	last := ""
	for _, stage := range in.Stages {
		futures := make([]workflow.Future, 0, len(stage))
		for _, s := range stage {
			input := history.TaskInput{
				TenantID: "default", RunID: id, TaskID: s.ID, Call: 1, PromptFormat: specialist.PromptFormat,
				System: content.Of(s.System), Request: content.Of(in.Request), Upstream: upstream,
				ModelChoice: run.ModelChoice{Provider: providerName, Model: s.Model},
			}
			name := history.ActivityExecute
			if in.Waits {
				name = history.ActivityPrompt
			}
			futures = append(futures, workflow.ExecuteActivity(options(ctx, s.ID), name, input))
		}
		if in.Waits {
			return "", wait(ctx, futures)
		}
		for i, future := range futures {
			var result history.TaskResult
			if err := future.Get(ctx, &result); err != nil {
				return "", err
			}
			last = result.Output.Inline
			upstream = append(upstream, history.Upstream{
				TaskID: stage[i].ID, Seq: len(upstream) + 1, Specialist: stage[i].ID,
				Executor: result.Executor, Status: run.TaskDone, Output: result.Output,
			})
		}
	}
	return last, nil
}

// question is the input of the activity by hand, answer its result.
type question struct {
	RunID   string   `json:"runId"`
	TaskID  string   `json:"taskId"`
	System  string   `json:"system"`
	Request string   `json:"request"`
	Earlier []answer `json:"earlier,omitempty"`
	Model   string   `json:"model"`
}

type answer struct {
	By           string `json:"by"`
	Text         string `json:"text"`
	InputTokens  int64  `json:"inputTokens"`
	OutputTokens int64  `json:"outputTokens"`
}

func runByHand(ctx workflow.Context, in job) (string, error) {
	id := workflow.GetInfo(ctx).WorkflowExecution.ID
	var earlier []answer
	for _, stage := range in.Stages {
		futures := make([]workflow.Future, 0, len(stage))
		for _, s := range stage {
			q := question{RunID: id, TaskID: s.ID, System: s.System, Request: in.Request, Earlier: earlier, Model: s.Model}
			futures = append(futures, workflow.ExecuteActivity(options(ctx, s.ID), byHandActivity, q))
		}
		if in.Waits {
			return "", wait(ctx, futures)
		}
		for _, future := range futures {
			var a answer
			if err := future.Get(ctx, &a); err != nil {
				return "", err
			}
			earlier = append(earlier, a)
		}
	}
	return earlier[len(earlier)-1].Text, nil
}

// wait is the rest of a workflow that somebody has to go on with.
func wait(ctx workflow.Context, futures []workflow.Future) error {
	for _, future := range futures {
		if err := future.Get(ctx, nil); err != nil {
			return err
		}
	}
	workflow.GetSignalChannel(ctx, goOn).Receive(ctx, nil)
	return nil
}

// byHand is the activity as a user of the SDK would write it, with an answers
// store, so that a crash does not pay twice.
type byHand struct {
	answers  ledger.Answers
	caller   provider.Caller
	endpoint provider.Endpoint
}

// AskModel makes the prompt, looks for a stored answer, calls and stores.
func (b *byHand) AskModel(ctx context.Context, q question) (answer, error) {
	p := specialist.PromptInput{System: q.System, Request: q.Request}
	for i, a := range q.Earlier {
		p.Upstream = append(p.Upstream, specialist.Upstream{TaskID: a.By, Seq: i + 1, Specialist: a.By, Status: "done", Text: a.Text})
	}
	messages, err := specialist.Render(specialist.PromptFormat, p)
	if err != nil {
		return answer{}, err
	}
	key := ledger.CallKey{Tenant: "default", RunID: q.RunID, TaskID: q.TaskID, Call: 1}
	digest := specialist.SHA256(messages)
	stored, err := b.answers.LoadAnswer(ctx, key, digest)
	if errors.Is(err, ledger.ErrNotFound) {
		stored, err = b.ask(ctx, q, key, digest, messages)
	}
	if err != nil {
		return answer{}, err
	}
	var a answer
	return a, json.Unmarshal(stored.Body, &a)
}

func (b *byHand) ask(ctx context.Context, q question, key ledger.CallKey, digest string, m specialist.Messages) (ledger.Answer, error) {
	if q.Model == "" {
		return ledger.Answer{Body: []byte(`{}`)}, nil // A waiting workflow only wants the prompt.
	}
	outcome, err := b.caller.Call(ctx, b.endpoint, provider.Request{Provider: providerName, Model: q.Model, System: m.System, User: m.User})
	if err != nil {
		return ledger.Answer{}, err
	}
	if !outcome.Class.Success() {
		return ledger.Answer{}, fmt.Errorf("the model answered with %s", outcome.Class)
	}
	a := answer{By: q.TaskID, Text: outcome.Text}
	if in, out := outcome.Usage.InputTokens, outcome.Usage.OutputTokens; in != nil && out != nil {
		a.InputTokens, a.OutputTokens = *in, *out
	}
	body, err := json.Marshal(a)
	if err != nil {
		return ledger.Answer{}, err
	}
	return b.answers.SaveAnswer(ctx, ledger.Answer{CallKey: key, PromptSHA256: digest, Body: body, StoredAt: time.Now()})
}

func registerBare(w worker.WorkflowRegistry) {
	w.RegisterWorkflowWithOptions(runBare, workflow.RegisterOptions{Name: bareWorkflow})
}

func (b *byHand) register(w worker.Registry) {
	w.RegisterWorkflowWithOptions(runByHand, workflow.RegisterOptions{Name: byHandWorkflow})
	w.RegisterActivityWithOptions(b.AskModel, activity.RegisterOptions{Name: byHandActivity})
}
