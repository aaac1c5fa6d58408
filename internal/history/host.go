package history

import (
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// The names of the two doors for host results, and of the claim.
const (
	UpdateSubmit = "submit-task-result"
	UpdateClaim  = "claim-task"
	SignalResult = "task-result"

	ActivityStore = "StoreContent"
)

// What a host is called that names no role: the door by which it came.
const (
	DoorUpdate = "update"
	DoorSignal = "signal"
)

// HostResult is a host's result as it comes through either door.
type HostResult struct {
	TaskID       string     `json:"taskId"`
	Outcome      string     `json:"outcome,omitempty"`
	Output       string     `json:"output,omitempty"`
	OutputRef    *OutputRef `json:"outputRef,omitempty"`
	Error        string     `json:"error,omitempty"`
	HostRole     string     `json:"hostRole,omitempty"`
	Model        string     `json:"model,omitempty"`
	ModelSource  string     `json:"modelSource,omitempty"`
	Provider     string     `json:"provider,omitempty"`
	Reasoning    string     `json:"reasoning,omitempty"`
	Usage        *run.Usage `json:"usage,omitempty"`
	ClaimToken   int64      `json:"claimToken,omitempty"`
	PromptSHA256 string     `json:"promptSha256,omitempty"`
	SubmissionID string     `json:"submissionId,omitempty"`
	SubmittedBy  string     `json:"submittedBy,omitempty"`

	ClientName    string `json:"clientName,omitempty"`
	ClientVersion string `json:"clientVersion,omitempty"`
	Session       string `json:"session,omitempty"`
}

// OutputRef names a text that the content store has.
type OutputRef struct {
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
}

// HostVerdict answers an update that submitted a result.
type HostVerdict struct {
	Accepted bool `json:"accepted"`
	run.Acceptance
}

// Submission is the result in the domain's words. The door names the role of a
// host that named none.
func (h HostResult) Submission(door string) run.Submission {
	s := run.Submission{
		TaskID: h.TaskID, Outcome: h.Outcome, Output: content.Of(h.Output), Error: h.Error,
		HostRole: h.HostRole, Model: h.Model, ModelSource: h.ModelSource, Provider: h.Provider,
		Reasoning: h.Reasoning, Usage: h.Usage, ClaimToken: h.ClaimToken, PromptSHA256: h.PromptSHA256,
		SubmissionID: h.SubmissionID, SubmittedBy: h.SubmittedBy,
		ClientName: h.ClientName, ClientVer: h.ClientVersion, Session: h.Session,
	}
	if h.OutputRef != nil {
		s.Output = content.Text{SHA256: h.OutputRef.SHA256, Size: h.OutputRef.Size, Kept: true}
	}
	if s.HostRole == "" {
		s.HostRole = door
	}
	if s.Model != "" && s.ModelSource == "" {
		s.ModelSource = run.ModelSelfReported
	}
	return s
}

// UpdateID is the ID under which a result is submitted, so that Temporal answers
// a repeated submission with the first verdict.
func (h HostResult) UpdateID() string {
	s := h.Submission(DoorUpdate)
	return h.TaskID + ":" + s.Digest()
}

// SignalEvent reads a signal that holds a host's result, which came raw: one that
// cannot be read is an event too, because it has to stand on the record.
func SignalEvent(raw converter.RawValue) run.Event {
	var result HostResult
	if err := converter.GetDefaultDataConverter().FromPayload(raw.Payload(), &result); err != nil {
		return run.SignalUnreadable{}
	}
	return run.HostSubmitted{Submission: result.Submission(DoorSignal), Signal: true}
}

// StoreInput is a raw result on its way into the store.
type StoreInput struct {
	TenantID string `json:"tenantId"`
	RunID    string `json:"runId"`
	TaskID   string `json:"taskId"`
	Text     string `json:"text"`
}

// StoreResult is where it is now.
type StoreResult struct {
	Text content.Text `json:"text"`
}

// StoreEvent is what the end of a StoreContent activity means for its task.
func StoreEvent(taskID string, o Outcome) (run.Event, error) {
	of := run.OfTask{TaskID: taskID}
	if o.Err != nil {
		return run.ContentDeferred{OfTask: of}, nil
	}
	var r StoreResult
	if err := o.Get(&r); err != nil {
		return nil, err
	}
	return run.ContentStored{OfTask: of, Text: r.Text}, nil
}
