package run

import (
	"time"

	"github.com/tutti-dev/tutti/internal/content"
)

// Task is one specialist's turn in a run.
type Task struct {
	ID         string        `json:"id"`
	Seq        int           `json:"seq"`
	Specialist SpecialistRef `json:"specialist"`
	Needs      []string      `json:"needs,omitempty"`
	Reason     string        `json:"reason,omitempty"`
	Backend    Backend       `json:"backend"`
	// Tools are what the specialist may use. They are said to hosts, who have tools
	// and hold to this list themselves; a provider's model gets none.
	Tools          []string       `json:"tools,omitempty"`
	Status         TaskStatus     `json:"status"`
	SkipReason     SkipReason     `json:"skipReason,omitempty"`
	Executor       string         `json:"executor,omitempty"`
	ExecutionState ExecutionState `json:"executionState,omitempty"`
	Degradations   []Degradation  `json:"degradations,omitempty"`

	PromptVersion   string      `json:"promptVersion,omitempty"`
	PromptSHA256    string      `json:"promptSha256,omitempty"`
	PromptTruncated bool        `json:"promptTruncated,omitempty"`
	Prompt          *PromptRef  `json:"prompt,omitempty"`
	HostPrompt      *HostPrompt `json:"hostPrompt,omitempty"`

	Output       string `json:"output,omitempty"`
	OutputSHA256 string `json:"outputSha256,omitempty"`
	OutputSize   int    `json:"outputSize,omitempty"`
	OutputKept   bool   `json:"outputKept,omitempty"`
	Truncated    bool   `json:"truncated,omitempty"`

	// Reasoning is there only when the specialist asked to surface it, or a host gave it.
	Reasoning       string `json:"reasoning,omitempty"`
	ReasoningSHA256 string `json:"reasoningSha256,omitempty"`
	ReasoningSize   int    `json:"reasoningSize,omitempty"`

	Error *Failure `json:"error,omitempty"`
	// ParkedFor says why the task waits for its timer.
	ParkedFor        Code          `json:"parkedFor,omitempty"`
	ResumeAt         *time.Time    `json:"resumeAt,omitempty"`
	ProvenanceSource string        `json:"provenanceSource,omitempty"`
	Provider         string        `json:"provider,omitempty"`
	Model            string        `json:"model,omitempty"`
	ProviderMeta     *ProviderMeta `json:"providerMeta,omitempty"`
	Host             *Host         `json:"host,omitempty"`
	Warnings         []string      `json:"warnings,omitempty"`
	Usage            Usage         `json:"usage"`
	Charge           Charge        `json:"charge,omitzero"`
	Calls            int           `json:"calls,omitempty"`

	StartedAt  *time.Time `json:"startedAt,omitempty"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`

	// ContinueOnUpstreamFailure: the task runs although a needed one failed, and
	// its prompt says so.
	ContinueOnUpstreamFailure bool `json:"continueOnUpstreamFailure,omitempty"`

	// turns is what the next turn needs and no reader does.
	turns turnState
}

// turnState is where a task stands between two schedulings. It follows from the
// events, so that workflow and fold hold the same.
type turnState struct {
	again     bool   // schedule it in the next turn
	inspect   bool   // ask first whether anybody polls its queue
	wait      int64  // start a timer of so many milliseconds in this turn
	scheduled int    // how often the current call was scheduled
	deferrals int    // how often the store was away
	fallback  int    // which model is asked: 0 is the chosen one
	reserved  Charge // what the call in flight may use
	store     bool   // its raw result has to be moved into the store in this turn
	storing   bool   // and is on its way there: what needs the task waits
	waiting   bool   // the store was away, and a timer runs
	timer     bool   // start the timer that bounds the wait for a host
}

// SpecialistRef pins the specialist that a task was submitted with.
type SpecialistRef struct {
	Name    string `json:"name"`
	ID      string `json:"id,omitempty"`
	Version string `json:"version,omitempty"`
}

// Backend says who executes a task.
type Backend string

// The three backends.
const (
	BackendInline   Backend = "inline"
	BackendProvider Backend = "provider"
	BackendHost     Backend = "host"
)

// Backends lists every backend.
func Backends() []Backend { return []Backend{BackendInline, BackendProvider, BackendHost} }

// PromptRef names a materialised prompt: two texts, and the digest that covers both.
type PromptRef struct {
	System content.Text `json:"system"`
	User   content.Text `json:"user"`
}

// HostPrompt is the prompt itself, shown only while a host has to execute it.
type HostPrompt struct {
	System string `json:"system"`
	User   string `json:"user"`
}

// Degradation says in what way a task was not executed as asked for.
type Degradation struct {
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
}

// The closed list of degradation reasons; the last two hold of a whole run.
const (
	DegradedSameFamilyFallback    = "same-family-fallback"
	DegradedPromptFallback        = "prompt-fallback"
	DegradedCapabilityUnavailable = "capability-unavailable"
	DegradedPartlyPrepared        = "partly-prepared"
	DegradedNoTasksPlanned        = "no-tasks-planned"
)

// ProviderMeta is what is known of the call that gave the result. It never
// holds prompt text, completion text or a credential.
type ProviderMeta struct {
	ResolvedModel      string `json:"resolvedModel,omitempty"`
	FinishReason       string `json:"finishReason,omitempty"`
	NativeFinishReason string `json:"nativeFinishReason,omitempty"`
	Usage              *Usage `json:"usage,omitempty"`
	ElapsedMS          int64  `json:"elapsedMs"`
	Attempts           int    `json:"attempts"`
	RequestID          string `json:"requestId,omitempty"`
	ReasoningRequested bool   `json:"reasoningRequested,omitempty"`
	ReasoningReturned  bool   `json:"reasoningReturned,omitempty"`
}

// OutputText returns the output as a travelling text.
func (t *Task) OutputText() content.Text {
	return content.Text{SHA256: t.OutputSHA256, Size: t.OutputSize, Inline: t.Output, Kept: t.OutputKept}
}

func (t *Task) setReasoning(text content.Text) {
	t.Reasoning, t.ReasoningSHA256, t.ReasoningSize = text.Inline, text.SHA256, text.Size
}

func (t *Task) setOutput(text content.Text) {
	t.Output, t.OutputSHA256, t.OutputSize, t.OutputKept = text.Inline, text.SHA256, text.Size, text.Kept
}
