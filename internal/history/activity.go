package history

import (
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

	PromptFormat int          `json:"promptFormat"`
	System       content.Text `json:"system"`
	Request      content.Text `json:"request"`
	Attachments  []NamedText  `json:"attachments,omitempty"`
	Reason       string       `json:"reason,omitempty"`
	Upstream     []Upstream   `json:"upstream,omitempty"`

	Provider    string     `json:"provider,omitempty"`
	Model       string     `json:"model,omitempty"`
	MaxTokens   int        `json:"maxTokens,omitempty"`
	Temperature *float64   `json:"temperature,omitempty"`
	Reasoning   string     `json:"reasoning,omitempty"`
	Tools       []string   `json:"tools,omitempty"`
	Limits      run.Limits `json:"limits"`
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
	Executor     string            `json:"executor"`
	Prompt       run.PromptInfo    `json:"prompt"`
	Output       content.Text      `json:"output"`
	Truncated    bool              `json:"truncated,omitempty"`
	Provider     string            `json:"provider"`
	Model        string            `json:"model"`
	Meta         *run.ProviderMeta `json:"providerMeta,omitempty"`
	Usage        run.Usage         `json:"usage"`
	Degradations []run.Degradation `json:"degradations,omitempty"`
	Warnings     []string          `json:"warnings,omitempty"`
}

// FailureDetail is the detail of the ApplicationError that leaves an activity:
// the failure itself, and what all attempts used.
type FailureDetail struct {
	Failure run.Failure    `json:"failure"`
	Prompt  run.PromptInfo `json:"prompt"`
	Usage   run.Usage      `json:"usage"`
}
