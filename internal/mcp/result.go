package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/google/uuid"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

type resultArguments struct {
	RunID        string          `json:"run_id"`
	TaskID       string          `json:"task_id"`
	Output       string          `json:"output"`
	Outcome      string          `json:"outcome"`
	Error        string          `json:"error"`
	ClaimToken   json.Number     `json:"claim_token"`
	PromptSHA256 string          `json:"prompt_sha256"`
	Model        string          `json:"model"`
	Provider     string          `json:"provider"`
	Reasoning    string          `json:"reasoning"`
	Usage        *usageArguments `json:"usage"`
}

type usageArguments struct {
	InputTokens     *int64 `json:"input_tokens"`
	CachedTokens    *int64 `json:"cached_input_tokens"`
	OutputTokens    *int64 `json:"output_tokens"`
	ReasoningTokens *int64 `json:"reasoning_tokens"`
}

func resultTool() tool {
	return tool{
		name: "orchestration_task_result", title: "Hand in a result",
		description: "Hand in the deliverable of a task that you executed, or report that you could not. The answer holds the next prompt, or null.",
		arguments: []argument{
			required(text("run_id", "The run.")),
			required(text("task_id", "The task, from next_task.")),
			text("output", "The deliverable itself, whole, up to 4 MiB: no preamble, no report on how you made it."),
			choice("outcome", "done (the default), or failed if you could not do it.", run.OutcomeDone, run.OutcomeFailed),
			text("error", "Why it failed, with outcome failed."),
			number("claim_token", "From next_task."),
			text("prompt_sha256", "From next_task."),
			text("model", "The model that did the work, if you know it; recorded as self-reported."),
			text("provider", "The provider of that model."),
			text("reasoning", "A short account of your reasoning, if you want it kept."),
			{name: "usage", kind: "object", description: "Tokens used, if you know them.", parts: []argument{
				number("input_tokens", ""), number("cached_input_tokens", ""), number("output_tokens", ""), number("reasoning_tokens", ""),
			}},
		},
		hints:  hints{idempotent: true},
		answer: answering(takeResult),
	}
}

type resultAnswer struct {
	RunID     string `json:"run_id"`
	TaskID    string `json:"task_id"`
	Accepted  *bool  `json:"accepted"`
	Pending   bool   `json:"pending,omitempty"`
	Duplicate bool   `json:"duplicate,omitempty"`

	RunStatus        run.Status `json:"run_status"`
	Semantics        string     `json:"semantics,omitempty"`
	NextTask         *nextTask  `json:"next_task"`
	RetryAfterMS     int64      `json:"retry_after_ms,omitempty"`
	HostInstructions string     `json:"host_instructions"`
}

func takeResult(ctx context.Context, c *call, a resultArguments) (any, error) {
	if a.RunID == "" {
		return nil, missing(run.CodeHostResultInvalid, "run_id")
	}
	in, err := c.submission(a)
	if err != nil {
		return nil, err
	}
	before, client, verdict, err := c.submit(ctx, a.RunID, in)
	if err != nil {
		return nil, err
	}
	answer := &resultAnswer{RunID: a.RunID, TaskID: in.TaskID, RunStatus: before.Status, Semantics: before.Semantics}
	if verdict.Pending {
		answer.Pending, answer.RetryAfterMS = true, retryLater
		answer.HostInstructions = "The result was taken down and counts when a tutti worker is back; start one with `tutti worker`. Do not submit it again; call orchestration_next with this run_id later."
		return answer, nil
	}
	accepted := true
	answer.Accepted, answer.Duplicate = &accepted, verdict.Duplicate
	c.follow(ctx, client, answer)
	return answer, nil
}

// submit hands the result in, whatever becomes of the caller meanwhile. Another
// tenant's run is as good as none, and its results are not even stored.
func (c *call) submit(ctx context.Context, runID string, in history.HostResult) (run.Record, *runs.Client, runs.Verdict, error) {
	ctx, cancel := detached(ctx, submitLimit)
	defer cancel()
	client, err := c.runs(ctx)
	if err != nil {
		return run.Record{}, nil, runs.Verdict{}, err
	}
	before, err := client.Get(ctx, c.app.Config.Tenant, runID)
	if err == nil {
		err = c.refer(ctx, &before.Record, &in)
	}
	if err != nil {
		return run.Record{}, nil, runs.Verdict{}, err
	}
	verdict, err := client.Submit(ctx, c.app.Config.Tenant, runID, in)
	return before.Record, client, verdict, err
}

// submission is the host's result with what the host said of itself. What the host
// declares of its model counts before what the model says.
func (c *call) submission(a resultArguments) (history.HostResult, error) {
	token := int64(0)
	if a.ClaimToken != "" {
		var err error
		if token, err = a.ClaimToken.Int64(); err != nil {
			return history.HostResult{}, &failure{Code: run.CodeHostResultInvalid, Message: "claim_token is no number", Remediation: "send the claim_token of next_task as it is, or none"}
		}
	}
	in := history.HostResult{
		TaskID: a.TaskID, Outcome: a.Outcome, Output: a.Output, Error: a.Error, ClaimToken: token, PromptSHA256: a.PromptSHA256,
		Model: clean(a.Model), Provider: clean(a.Provider), Reasoning: run.Clip(a.Reasoning, content.InlineLimit),
		HostRole: c.caller.role, ClientName: c.caller.name, ClientVersion: c.caller.version, Session: c.caller.session,
		SubmittedBy: c.holder(), SubmissionID: uuid.NewString(),
	}
	if in.Outcome == "" {
		in.Outcome = run.OutcomeDone
	}
	if in.Model != "" {
		in.ModelSource = run.ModelSelfReported
	}
	if c.caller.model != "" {
		in.Model, in.ModelSource = c.caller.model, run.ModelHostDeclared
	}
	if u := a.Usage; u != nil {
		in.Usage = &run.Usage{InputTokens: u.InputTokens, CachedInputTokens: u.CachedTokens, OutputTokens: u.OutputTokens, ReasoningTokens: u.ReasoningTokens}
	}
	if strings.TrimSpace(in.Output) == "" {
		in.Output = ""
	}
	// What is wrong with the result itself needs no run.
	submission := in.Submission(history.DoorUpdate)
	if _, rejected := (&run.Record{}).Judge(&submission); rejected != nil && rejected.Code == run.CodeHostResultInvalid {
		return in, rejected
	}
	return in, nil
}

// refer moves a long output into the store, unless the run would not take it.
func (c *call) refer(ctx context.Context, r *run.Record, in *history.HostResult) error {
	if len(in.Output) <= content.InlineLimit {
		return nil
	}
	whole := content.Of(in.Output)
	in.Output, in.OutputRef = "", &history.OutputRef{SHA256: whole.SHA256, Size: whole.Size}
	submission := in.Submission(history.DoorUpdate)
	_, rejected := r.Judge(&submission)
	// Whether a claim still lives is for the workflow's clock to say.
	if rejected != nil && rejected.Code != run.CodeHostClaimLost {
		return rejected
	}
	return c.keep(ctx, whole, whole.Inline)
}

// follow adds what comes next. The result counts already: what cannot be read now
// is told, and is no failure.
func (c *call) follow(ctx context.Context, client *runs.Client, answer *resultAnswer) {
	folded, err := c.settle(ctx, client, answer.RunID, c.until(waitLimit))
	if err == nil {
		answer.NextTask, folded, err = c.offer(ctx, client, folded, wanted{claim: true})
	}
	if folded.Record.RunID != "" {
		answer.RunStatus, answer.Semantics = folded.Record.Status, folded.Record.Semantics
	}
	answer.RetryAfterMS = retryAfter(&folded.Record, answer.NextTask)
	if err == nil {
		answer.HostInstructions = hostInstructions(&folded.Record, answer.NextTask, "The result was recorded. ")
		return
	}
	answer.RetryAfterMS = retryLater
	answer.HostInstructions = "The result was recorded. What comes next cannot be read now (" + run.Clip(explain(err).Message, 200) +
		"). Call orchestration_next with this run_id later; do not submit the result again."
	if errors.Is(err, context.Canceled) {
		c.log.Debug("the host left after its result was recorded", "run_id", answer.RunID)
	}
}
