package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// ExecuteTask makes a task's prompt and asks the model once.
func (a *Activities) ExecuteTask(ctx context.Context, in history.TaskInput) (history.TaskResult, error) {
	ctx = txscope.New(ctx)
	pulse, stop := a.beat(ctx)
	defer stop()
	call := newCall(ctx, a, in, pulse)
	result, err := call.make(pulse.ctx)
	if err != nil {
		return history.TaskResult{}, a.fail(pulse.ctx, in, err, call.detail())
	}
	return result, nil
}

// call is one attempt to get one answer.
type call struct {
	a     *Activities
	in    history.TaskInput
	key   ledger.CallKey
	pulse *pulse
	// activity is the activity's own context, for heartbeats: they go on while the
	// call's is cancelled.
	activity context.Context //nolint:containedctx // a call lives exactly as long as its activity
	// sources is how the sources of all attempts of this activity begin.
	sources             string
	attempt             int  // Temporal's
	first               bool // nobody can have asked the model before
	scheduled, deadline time.Time
	stopping            <-chan struct{}

	prompt    run.PromptInfo
	estimate  run.Charge // of one attempt
	keySource string
	storeDown bool
	begun     bool
	own       ledger.Attempt // this attempt; its number is 0 while it is not recorded
	before    bill           // of this activity's earlier attempts, as far as anybody knows
	total     bill           // with this one, once it has ended
}

func newCall(ctx context.Context, a *Activities, in history.TaskInput, p *pulse) *call {
	info := activity.GetInfo(ctx)
	c := &call{
		a: a, in: in, pulse: p, activity: ctx, attempt: int(info.Attempt),
		key:       ledger.CallKey{Tenant: in.TenantID, RunID: in.RunID, TaskID: in.TaskID, Call: in.Call},
		sources:   fmt.Sprintf("%s/%s/", info.WorkflowExecution.RunID, info.ActivityID),
		first:     info.Attempt <= 1 && !history.ScheduledAnew(info.ActivityID),
		scheduled: info.ScheduledTime, deadline: info.Deadline, stopping: activity.GetWorkerStopChannel(ctx),
	}
	c.own = ledger.Attempt{
		CallKey: c.key, Source: fmt.Sprintf("%s%d", c.sources, info.Attempt),
		Kind: kept.Kind, IdempotencyClass: kept.IdempotencyClass, Provider: in.Provider, Model: in.Model,
		Closing: ledger.Closing{State: ledger.Started},
	}
	if in.Price != nil {
		c.own.PriceID = in.Price.ID
	}
	return c
}

// detail is what is known when the attempt leaves with an error.
func (c *call) detail() history.FailureDetail {
	sum := c.total
	if sum.attempts == 0 {
		sum = c.before
	}
	lacking := c.lacking()
	if c.before.attempts == 0 && !c.begun {
		// The store was never reached: what travelled is all that anybody knows.
		for _, a := range lacking {
			sum.add(a.Usage, c.estimate)
		}
	}
	return history.FailureDetail{
		Failure: run.Failure{Attempts: max(sum.attempts, c.attempt)}, Prompt: c.prompt,
		Usage: sum.usage, Charge: sum.charge, Unrecorded: lacking,
	}
}

func (c *call) make(ctx context.Context) (history.TaskResult, error) {
	messages, err := c.a.render(ctx, c.in)
	if err != nil {
		return history.TaskResult{}, err
	}
	c.prompt = promptInfo(messages)
	c.own.PromptSHA256 = c.prompt.SHA256
	c.estimate = c.estimateOf(len(messages.System) + len(messages.User))
	endpoint, err := c.a.d.Endpoints.Endpoint(ctx, c.in.Provider)
	if err != nil {
		return history.TaskResult{}, err
	}
	c.keySource = endpoint.KeySource
	if ms := c.in.Limits.TimeoutMS; ms > 0 {
		endpoint.Timeout = durationMS(ms)
	}
	if stored, found, err := c.look(ctx); err != nil || found {
		return stored, err
	}
	release, err := c.a.slots.acquire(ctx, c.stopping, c.in.Provider, c.left(endpoint.Deadline()+storeMargin))
	if err != nil {
		return history.TaskResult{}, err
	}
	defer release()
	if err := c.begin(ctx, messages); err != nil {
		return history.TaskResult{}, err
	}
	outcome, err := c.a.d.Caller.Call(ctx, endpoint.Endpoint, c.request(messages.System, messages.User))
	release()
	if err != nil {
		return history.TaskResult{}, c.abandon(ctx, err)
	}
	if !outcome.Class.Success() {
		c.close(ctx, ledger.Closing{
			State: ledger.Failed, Class: string(outcome.Class), RequestID: outcome.RequestID, Usage: c.usageOf(outcome),
		})
		return history.TaskResult{}, c.failure(outcome)
	}
	return c.keep(ctx, outcome)
}

// abandon closes an attempt that ended without an outcome. One that was cut off
// while nobody cancelled the run will be made again, so it may be paid twice.
func (c *call) abandon(ctx context.Context, err error) error {
	closing := ledger.Closing{State: ledger.Abandoned}
	if ctx.Err() != nil && !canceledByServer(ctx) {
		closing.Usage.CallsUncertain = 1
	}
	if errors.Is(err, provider.ErrTransactionOpen) {
		none := int64(0)
		closing.Class, closing.Usage.InputTokens, closing.Usage.OutputTokens = "not_sent", &none, &none
		err = &Refusal{
			Code: run.CodeTransactionOpen, Cause: err,
			Message:     "a model may not be called while a database transaction is open",
			Remediation: "report this: it is a fault of tutti's",
		}
	}
	c.close(ctx, closing)
	return err
}
