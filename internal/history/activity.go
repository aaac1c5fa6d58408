package history

import (
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// TaskInput is what an activity gets to make a task's prompt and, for the
// provider backend, to make the call.
type TaskInput struct {
	TenantID string `json:"tenantId"`
	RunID    string `json:"runId"`
	TaskID   string `json:"taskId"`
	Call     int    `json:"call"`
	// Backend says for whom a prompt is made: a host reads it in Temporal.
	Backend run.Backend `json:"backend,omitempty"`

	PromptFormat int          `json:"promptFormat"`
	System       content.Text `json:"system"`
	Request      content.Text `json:"request"`
	Attachments  []NamedText  `json:"attachments,omitempty"`
	Reason       string       `json:"reason,omitempty"`
	Upstream     []Upstream   `json:"upstream,omitempty"`

	Tools []string `json:"tools,omitempty"`

	run.ModelChoice
	MaxTokens   int            `json:"maxTokens,omitempty"`
	Temperature *float64       `json:"temperature,omitempty"`
	Reasoning   string         `json:"reasoning,omitempty"`
	Effort      string         `json:"effort,omitempty"`
	Extras      map[string]any `json:"extras,omitempty"`
	// Allowance is what the run's budget leaves for this call; nil means no cap.
	// The first attempt is always made, a further one only within it.
	Allowance *run.Budget `json:"allowance,omitempty"`
	// FallenBack names the models that failed before this one was asked.
	FallenBack []string `json:"fallenBack,omitempty"`
}

// Upstream is a needed task as the prompt tells of it.
type Upstream struct {
	TaskID     string         `json:"taskId"`
	Seq        int            `json:"seq"`
	Specialist string         `json:"specialist"`
	Executor   string         `json:"executor,omitempty"`
	Status     run.TaskStatus `json:"status"`
	Why        string         `json:"why,omitempty"`
	Output     content.Text   `json:"output"`
	Truncated  bool           `json:"truncated,omitempty"`
}

// PromptResult is what MaterializePrompt returns.
type PromptResult struct {
	Prompt run.PromptInfo `json:"prompt"`
}

// TaskResult is what ExecuteTask returns: the answer, and what all attempts used.
type TaskResult struct {
	Executor  string            `json:"executor"`
	Prompt    run.PromptInfo    `json:"prompt"`
	Output    content.Text      `json:"output"`
	Truncated bool              `json:"truncated,omitempty"`
	Provider  string            `json:"provider"`
	Model     string            `json:"model"`
	Meta      *run.ProviderMeta `json:"providerMeta,omitempty"`
	Usage     run.Usage         `json:"usage"`
	Charge    run.Charge        `json:"charge,omitzero"`
	// Reasoning is there only when the specialist asked to surface it.
	Reasoning content.Text `json:"reasoning,omitzero"`
	// Unrecorded are the attempts of this call that the store does not have.
	Unrecorded   []Attempt         `json:"unrecorded,omitempty"`
	Degradations []run.Degradation `json:"degradations,omitempty"`
	Warnings     []string          `json:"warnings,omitempty"`
}

// FailureDetail is the detail of the ApplicationError that leaves an activity:
// the failure itself, and what all attempts used.
type FailureDetail struct {
	Failure run.Failure    `json:"failure"`
	Prompt  run.PromptInfo `json:"prompt"`
	Usage   run.Usage      `json:"usage"`
	Charge  run.Charge     `json:"charge,omitzero"`
	// Unrecorded are the attempts of this call that the store does not have.
	Unrecorded []Attempt `json:"unrecorded,omitempty"`
}

// attemptStarted is the state of an attempt that nobody has closed, in the
// ledger's words.
const attemptStarted = "started"

// Attempt is an attempt as it travels while the store is away. The projector
// records it when the store is back.
type Attempt struct {
	Source       string    `json:"source"`
	StartedAt    time.Time `json:"startedAt"`
	FinishedAt   time.Time `json:"finishedAt"`
	State        string    `json:"state"`
	Class        string    `json:"class,omitempty"`
	RequestID    string    `json:"requestId,omitempty"`
	PromptSHA256 string    `json:"promptSha256,omitempty"`
	PriceID      string    `json:"priceId,omitempty"`
	Usage        run.Usage `json:"usage"`
}

// QueueInput asks who polls a task queue.
type QueueInput struct {
	Queue string `json:"queue"`
}

// QueueResult counts the workers that poll it.
type QueueResult struct {
	Pollers int `json:"pollers"`
}
