package run

import "time"

// Record is the whole state of one run, a fold of its history. Its JSON is
// what `tutti run show --json` prints and what the stores keep.
type Record struct {
	RunID              string         `json:"runId"`
	TenantID           string         `json:"tenantId"`
	PrincipalID        string         `json:"principalId"`
	Status             Status         `json:"status"`
	ExecutionState     ExecutionState `json:"executionState,omitempty"`
	Degraded           bool           `json:"degraded"`
	DegradationReasons []string       `json:"degradationReasons,omitempty"`

	// TemporalRunID and LastEventID say which history, and how much of it, this
	// record is a fold of. The workflow's own record has neither.
	TemporalRunID string `json:"temporalRunId,omitempty"`
	LastEventID   int64  `json:"lastEventId,omitempty"`

	CreatedAt  *time.Time `json:"createdAt,omitempty"`
	StartedAt  *time.Time `json:"startedAt,omitempty"`
	UpdatedAt  *time.Time `json:"updatedAt,omitempty"`
	FinishedAt *time.Time `json:"finishedAt,omitempty"`

	Request       Request   `json:"request"`
	Chain         ChainRef  `json:"chain"`
	Plan          PlanNote  `json:"plan"`
	WorkerBackend string    `json:"workerBackend,omitempty"`
	HostRole      string    `json:"hostRole,omitempty"`
	Execution     Execution `json:"execution"`
	Semantics     string    `json:"semantics,omitempty"`
	Warnings      []string  `json:"warnings,omitempty"`
	Usage         Usage     `json:"usage"`
	Budget        Budget    `json:"budget"`
	FinalMessage  string    `json:"finalMessage,omitempty"`
	PromptFormat  int       `json:"promptFormat,omitempty"`
	Tasks         []Task    `json:"tasks"`
	Error         *RunError `json:"error,omitempty"`

	// CancelRequested is set once a cancellation was seen. The run ends when the
	// activities in flight have answered it.
	CancelRequested bool `json:"cancelRequested,omitempty"`

	// AwaitsPlan is set while a run started by hand has no plan yet.
	AwaitsPlan bool `json:"awaitsPlan,omitempty"`

	// RejectedSignals are results that came by signal and do not count; their
	// senders got no verdict. More of them than are listed are counted.
	RejectedSignals     []RejectedSignal `json:"rejectedSignals,omitempty"`
	MoreRejectedSignals int              `json:"moreRejectedSignals,omitempty"`
	// RawBytes is how much text came in updates and signals.
	RawBytes int `json:"rawBytes,omitempty"`

	plan *Plan
	now  time.Time // the start of the workflow task that is being decided
}

// Request is what the user asked for. Specialists get text and attachments whole.
type Request struct {
	Text        string       `json:"text,omitempty"`
	TextSHA256  string       `json:"textSha256,omitempty"`
	TextSize    int          `json:"textSize,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	Summary     string       `json:"summary,omitempty"`
	SHA256      string       `json:"sha256,omitempty"`
}

// Attachment is a file that came with the request.
type Attachment struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// ChainRef names the chain and the content-addressed version that the run keeps.
type ChainRef struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// PlanNote says why this chain was chosen.
type PlanNote struct {
	Rationale string `json:"rationale,omitempty"`
}

// Execution says which model was asked for and which one was chosen.
type Execution struct {
	RequestedModel   string `json:"requestedModel,omitempty"`
	SelectedProvider string `json:"selectedProvider,omitempty"`
	SelectedModel    string `json:"selectedModel,omitempty"`
	ResolutionSource string `json:"resolutionSource,omitempty"`
}

// Budget is the cap the user set; nil means no cap, zero means nothing may be spent.
type Budget struct {
	MaxCostUSD *string `json:"maxCostUsd,omitempty"`
	MaxTokens  *int64  `json:"maxTokens,omitempty"`
}

// RunError says why a run is in status error.
type RunError struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// TaskByID returns the task of that ID, or nil.
func (r *Record) TaskByID(id string) *Task {
	for i := range r.Tasks {
		if r.Tasks[i].ID == id {
			return &r.Tasks[i]
		}
	}
	return nil
}

// Counts says how many tasks are in each status.
func (r *Record) Counts() map[TaskStatus]int {
	counts := make(map[TaskStatus]int)
	for i := range r.Tasks {
		counts[r.Tasks[i].Status]++
	}
	return counts
}
