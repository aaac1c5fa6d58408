package run

import (
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
)

// Host says which host executed a task, or has it in hand.
type Host struct {
	Role          string     `json:"role,omitempty"`
	ClientName    string     `json:"clientName,omitempty"`
	ClientVersion string     `json:"clientVersion,omitempty"`
	Session       string     `json:"session,omitempty"`
	ModelSource   string     `json:"modelSource,omitempty"`
	ClaimedBy     string     `json:"claimedBy,omitempty"`
	ClaimToken    int64      `json:"claimToken,omitempty"`
	ClaimExpires  *time.Time `json:"claimExpiresAt,omitempty"`
	AwaitingSince *time.Time `json:"awaitingSince,omitempty"`
	ResultSHA256  string     `json:"resultSha256,omitempty"`
	SubmissionID  string     `json:"submissionId,omitempty"`
}

// awaitNoMore is for a task that ends before a host executed it: nothing has happened.
func (t *Task) awaitNoMore() {
	if t.ExecutionState == StateAwaitingHost {
		t.ExecutionState, t.Executor = "", ""
	}
}

// Where a host's model name comes from.
const (
	ModelHostDeclared = "host-declared" // the host's own metadata
	ModelSelfReported = "self-reported" // what the model wrote about itself
)

// ProvenanceHost marks a result that nobody but the host can vouch for.
const ProvenanceHost = "host-reported"

// The outcomes that a host may report.
const (
	OutcomeDone   = "done"
	OutcomeFailed = "failed"
)

// The limits of a host's result.
const (
	// MaxResult is the longest text that a host may submit at all.
	MaxResult = 4 << 20
	// MaxRawResult is the longest text that may stand in an update or a signal.
	MaxRawResult = 256 << 10
	// MaxRawBytes bounds all raw results of a run together.
	MaxRawBytes = 8 << 20
	// keptSignals is how many rejected signals a record lists; more are counted.
	keptSignals = 50
)

// Submission is a host's result as it was handed in.
type Submission struct {
	TaskID       string       `json:"taskId"`
	Outcome      string       `json:"outcome"`
	Output       content.Text `json:"output,omitzero"`
	Error        string       `json:"error,omitempty"`
	HostRole     string       `json:"hostRole,omitempty"`
	Model        string       `json:"model,omitempty"`
	ModelSource  string       `json:"modelSource,omitempty"`
	Provider     string       `json:"provider,omitempty"`
	Reasoning    string       `json:"reasoning,omitempty"`
	Usage        *Usage       `json:"usage,omitempty"`
	ClaimToken   int64        `json:"claimToken,omitempty"`
	PromptSHA256 string       `json:"promptSha256,omitempty"`
	SubmissionID string       `json:"submissionId,omitempty"`
	SubmittedBy  string       `json:"submittedBy,omitempty"`
	ClientName   string       `json:"clientName,omitempty"`
	ClientVer    string       `json:"clientVersion,omitempty"`
	Session      string       `json:"session,omitempty"`
}

// Digest is what makes two submissions the same result: outcome, output and
// error, whether the output came inline or by reference.
func (s *Submission) Digest() string {
	return content.Digest(strings.Join([]string{s.Outcome, s.Output.SHA256, s.Error}, "\x00"))
}

// ClaimRequest asks for a lease on an awaiting task; without a task, on any.
type ClaimRequest struct {
	TaskID       string `json:"taskId,omitempty"`
	Holder       string `json:"holder"`
	LeaseSeconds int    `json:"leaseSeconds,omitempty"`
	Takeover     bool   `json:"takeover,omitempty"`
}

// Claim is a granted lease.
type Claim struct {
	TaskID    string    `json:"taskId"`
	Token     int64     `json:"claimToken"`
	ExpiresAt time.Time `json:"claimExpiresAt"`
}

// defaultLease is how long a claim holds when nobody says.
const defaultLease = 900 * time.Second

// maxLease bounds a lease: a host that needs longer renews.
const maxLease = 24 * time.Hour

// Rejection says why a host's request does not count, and what to do.
type Rejection struct {
	Code        Code   `json:"code"`
	Message     string `json:"error"`
	Remediation string `json:"remediation,omitempty"`
}

// Error implements error.
func (r *Rejection) Error() string { return r.Message }

func reject(code Code, message, remediation string) *Rejection {
	return &Rejection{Code: code, Message: message, Remediation: remediation}
}

// RejectedSignal stands on the record, because its sender got no verdict.
type RejectedSignal struct {
	TaskID string `json:"taskId,omitempty"`
	Code   Code   `json:"code"`
}

// Acceptance is the verdict on a submission that counts.
type Acceptance struct {
	TaskID       string `json:"taskId"`
	ResultSHA256 string `json:"resultSha256"`
	SubmissionID string `json:"submissionId,omitempty"`
	Duplicate    bool   `json:"duplicate,omitempty"`
}

// principalOf is the principal in a holder, which is "<principal>/<session or role>".
func principalOf(holder string) string {
	if i := strings.LastIndexByte(holder, '/'); i >= 0 {
		return holder[:i]
	}
	return holder
}
