package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.temporal.io/sdk/activity"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// ExecuteTask makes a task's prompt and asks the model once.
func (a *Activities) ExecuteTask(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
	ctx = txscope.New(ctx)
	stop := a.beat(ctx)
	defer stop()
	call := newCall(ctx, a, in)
	result, err := call.make(ctx)
	if err != nil {
		return history.TaskResult{}, a.fail(ctx, in, err, call.detail())
	}
	return result, nil
}

// call is one attempt to get one answer.
type call struct {
	a       *Activities
	in      history.TaskInput
	key     ledger.CallKey
	source  string
	attempt int // Temporal's

	prompt    run.PromptInfo
	before    run.Usage // of earlier attempts, as far as the ledger knows
	used      run.Usage // of this one
	row       int       // this attempt's number in the ledger, 0 while unrecorded
	storeDown bool
	keySource string
}

func newCall(ctx context.Context, a *Activities, in history.TaskInput) *call {
	info := activity.GetInfo(ctx)
	return &call{
		a: a, in: in, attempt: int(info.Attempt),
		key:    ledger.CallKey{Tenant: in.TenantID, RunID: in.RunID, TaskID: in.TaskID, Call: in.Call},
		source: fmt.Sprintf("%s/%s/%d", info.WorkflowExecution.RunID, info.ActivityID, info.Attempt),
	}
}

func (c *call) detail() history.FailureDetail {
	return history.FailureDetail{
		Failure: run.Failure{Attempts: max(c.row, c.attempt)}, Prompt: c.prompt, Usage: c.before.Add(c.used),
	}
}

func (c *call) make(ctx context.Context) (history.TaskResult, error) {
	messages, err := c.a.render(ctx, c.in)
	if err != nil {
		return history.TaskResult{}, err
	}
	c.prompt = promptInfo(messages)
	endpoint, err := c.a.d.Endpoints.Endpoint(ctx, c.in.Provider)
	if err != nil {
		return history.TaskResult{}, err
	}
	c.keySource = endpoint.KeySource
	if ms := c.in.Limits.TimeoutMS; ms > 0 {
		endpoint.Timeout = durationMS(ms)
	}
	stored, found, err := c.look(ctx)
	if err != nil || found {
		return stored, err
	}
	if err := c.begin(ctx, messages.System, messages.User); err != nil {
		return history.TaskResult{}, err
	}
	outcome, err := c.a.d.Caller.Call(ctx, endpoint.Endpoint, provider.Request{
		Provider: c.in.Provider, Model: c.in.Model, System: messages.System, User: messages.User,
		MaxTokens: c.in.MaxTokens, Temperature: c.in.Temperature, Reasoning: c.in.Reasoning,
	})
	if err != nil {
		c.close(ctx, ledger.Closing{State: ledger.Abandoned})
		return history.TaskResult{}, notAsked(err)
	}
	c.used = usageOf(outcome)
	if !outcome.Class.Success() {
		c.close(ctx, ledger.Closing{State: ledger.Failed, Class: string(outcome.Class), RequestID: outcome.RequestID, Usage: c.used})
		return history.TaskResult{}, c.failure(outcome)
	}
	return c.keep(ctx, outcome)
}

// notAsked is why the caller returned without an outcome.
func notAsked(err error) error {
	if errors.Is(err, provider.ErrTransactionOpen) {
		return &Refusal{
			Code: run.CodeTransactionOpen, Cause: err,
			Message:     "a model may not be called while a database transaction is open",
			Remediation: "report this: it is a fault of tutti's",
		}
	}
	return err
}

// look returns the stored answer of this call and prompt, if there is one.
func (c *call) look(ctx context.Context) (history.TaskResult, bool, error) {
	answer, err := c.a.d.Store.LoadAnswer(ctx, c.key, c.prompt.SHA256)
	switch {
	case err == nil:
		result, err := decodeAnswer(answer.Body)
		return result, err == nil, err
	case errors.Is(err, ledger.ErrNotFound):
		return history.TaskResult{}, false, nil
	case c.attempt == 1:
		// Nobody has called yet, so there is no answer that could be bought twice.
		c.storeDown = true
		return history.TaskResult{}, false, nil
	}
	return history.TaskResult{}, false, fmt.Errorf("look for a stored answer: %w: %w", content.ErrUnavailable, err)
}

// keep stores the answer and returns the one that counts: the first stored.
func (c *call) keep(ctx context.Context, outcome provider.Outcome) (history.TaskResult, error) {
	// The answer is paid for: it is kept even if the run is cancelled meanwhile.
	ctx = context.WithoutCancel(ctx)
	result := c.result(outcome)
	output, err := content.Keep(ctx, c.a.d.Store, c.in.TenantID, content.Clean(outcome.Text), content.InlineLimit)
	if err != nil {
		return history.TaskResult{}, fmt.Errorf("keep the answer: %w", err)
	}
	result.Output = output
	body, err := json.Marshal(result)
	if err != nil {
		return history.TaskResult{}, fmt.Errorf("encode the answer: %w", err)
	}
	stored, err := c.a.d.Store.SaveAnswer(ctx, ledger.Answer{
		CallKey: c.key, PromptSHA256: c.prompt.SHA256, Body: body, StoredAt: c.a.d.Now(),
	})
	if err != nil {
		c.a.d.Log.Warn("the answer travels inline: the store cannot be reached",
			"run_id", c.in.RunID, "task", c.in.TaskID, "error", err)
		return result, nil
	}
	c.close(ctx, ledger.Closing{State: ledger.Answered, Class: string(outcome.Class), RequestID: outcome.RequestID, Usage: c.used})
	return decodeAnswer(stored.Body)
}

func decodeAnswer(body []byte) (history.TaskResult, error) {
	var result history.TaskResult
	if err := json.Unmarshal(body, &result); err != nil {
		return history.TaskResult{}, fmt.Errorf("decode the stored answer: %w", err)
	}
	return result, nil
}
