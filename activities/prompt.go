package activities

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/activity"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// hostInlineLimit is above the usual one, so that a host which has nothing but
// the Temporal CLI or Web UI can read the prompt there.
const hostInlineLimit = 32 << 10

// MaterializePrompt makes a task's prompt and does nothing else.
func (a *Activities) MaterializePrompt(ctx context.Context, in history.TaskInput) (history.PromptResult, error) {
	ctx = txscope.New(ctx)
	_, stop := a.beat(ctx)
	defer stop()
	messages, err := a.render(ctx, in)
	if err != nil {
		return history.PromptResult{}, a.fail(ctx, in, err, history.FailureDetail{})
	}
	info := promptInfo(messages)
	limit := content.InlineLimit
	if in.Backend == run.BackendHost {
		limit = hostInlineLimit
	}
	if info.Ref.System, err = content.Keep(ctx, a.d.Store, in.TenantID, messages.System, limit); err == nil {
		info.Ref.User, err = content.Keep(ctx, a.d.Store, in.TenantID, messages.User, limit)
	}
	if err != nil {
		return history.PromptResult{}, a.fail(ctx, in, err, history.FailureDetail{})
	}
	return history.PromptResult{Prompt: info}, nil
}

// render fetches the texts and calls the one function that writes prompts.
func (a *Activities) render(ctx context.Context, in history.TaskInput) (specialist.Messages, error) {
	fetch := func(t content.Text) (string, error) { return content.Fetch(ctx, a.d.Store, in.TenantID, t) }
	prompt := specialist.PromptInput{Reason: in.Reason}
	var err error
	if prompt.System, err = fetch(in.System); err != nil {
		return specialist.Messages{}, fmt.Errorf("system prompt: %w", err)
	}
	if prompt.Request, err = fetch(in.Request); err != nil {
		return specialist.Messages{}, fmt.Errorf("request: %w", err)
	}
	for _, attached := range in.Attachments {
		text, err := fetch(attached.Text)
		if err != nil {
			return specialist.Messages{}, fmt.Errorf("attachment %s: %w", attached.Name, err)
		}
		prompt.Attachments = append(prompt.Attachments, specialist.Attachment{Name: attached.Name, Text: text})
	}
	for _, up := range in.Upstream {
		text, err := fetch(up.Output)
		if err != nil {
			return specialist.Messages{}, fmt.Errorf("result of %s: %w", up.TaskID, err)
		}
		prompt.Upstream = append(prompt.Upstream, upstream(up, text))
	}
	return specialist.Render(in.PromptFormat, prompt)
}

func upstream(up history.Upstream, text string) specialist.Upstream {
	u := specialist.Upstream{
		TaskID: up.TaskID, Seq: up.Seq, Specialist: up.Specialist, Provenance: up.Executor,
		Status: string(up.Status), Text: text, Truncated: up.Truncated,
	}
	if up.Status == run.TaskFailed {
		u.ErrorCode = up.Why
	} else {
		u.Reason = up.Why
	}
	return u
}

func promptInfo(m specialist.Messages) run.PromptInfo {
	return run.PromptInfo{
		Version: specialist.PromptVersion(m.System), SHA256: specialist.SHA256(m), Truncated: m.Truncated,
		Ref: &run.PromptRef{System: content.Of(m.System).Ref(), User: content.Of(m.User).Ref()},
	}
}

// fail logs an activity's failure once, here at the edge, and lets it leave.
func (a *Activities) fail(ctx context.Context, in history.TaskInput, err error, detail history.FailureDetail) error {
	if detail.Failure.Attempts == 0 {
		detail.Failure.Attempts = int(activity.GetInfo(ctx).Attempt)
	}
	left := leave(ctx, err, detail)
	a.d.Log.Warn("task attempt ended without a result", "run_id", in.RunID, "task", in.TaskID,
		"provider", in.Provider, "model", in.Model, "attempt", activity.GetInfo(ctx).Attempt, "error", left)
	return left
}
