package history

import (
	"strconv"
	"strings"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
)

// InputLimit bounds the inline text of one payload: a run's input, an
// activity's input. What is over goes by reference.
const InputLimit = 32 << 10

// RunInput starts a run. `tutti submit` fills in Plan; a run started from the
// Web UI or `temporal workflow start` may say {"request": "…", "chain": "…"}
// alone, and a first activity resolves the plan from the rest.
type RunInput struct {
	TenantID    string       `json:"tenantId,omitempty"`
	PrincipalID string       `json:"principalId,omitempty"`
	Request     content.Text `json:"request"`
	Attachments []NamedText  `json:"attachments,omitempty"`
	Summary     string       `json:"summary,omitempty"`

	Chain    string `json:"chain,omitempty"`
	Backend  string `json:"backend,omitempty"`
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`

	Plan *run.Plan `json:"plan,omitempty"`
}

// NamedText is an attached file.
type NamedText struct {
	Name string       `json:"name"`
	Text content.Text `json:"text"`
}

// PlanResult is what the planning activity returns.
type PlanResult struct {
	TenantID    string   `json:"tenantId"`
	PrincipalID string   `json:"principalId"`
	Plan        run.Plan `json:"plan"`
}

// Started is the event that opens the run.
func (in *RunInput) Started(runID, temporalRunID string) run.Started {
	return run.Started{
		RunID: runID, TemporalRunID: temporalRunID,
		TenantID: in.TenantID, PrincipalID: in.PrincipalID,
		Request: in.request(), Plan: in.Plan,
	}
}

func (in *RunInput) request() run.Request {
	r := run.Request{
		Text: in.Request.Inline, TextSHA256: in.Request.SHA256, TextSize: in.Request.Size,
		Summary: in.Summary, SHA256: in.RequestDigest(),
	}
	if r.Summary == "" {
		r.Summary = run.Summarize(in.Request.Inline)
	}
	for _, a := range in.Attachments {
		r.Attachments = append(r.Attachments, run.Attachment{Name: a.Name, Size: a.Text.Size, SHA256: a.Text.SHA256})
	}
	return r
}

// RequestDigest covers the text and the attachments. It is taken over their
// digests, because a large text is not at hand everywhere.
func (in *RunInput) RequestDigest() string {
	var b strings.Builder
	b.WriteString(in.Request.SHA256)
	for _, a := range in.Attachments {
		b.WriteString("\n" + a.Text.SHA256 + " " + strconv.Quote(a.Name))
	}
	return content.Digest(b.String())
}

// RunResult is the small result of a run in Temporal.
type RunResult struct {
	RunID          string             `json:"runId"`
	Status         run.Status         `json:"status"`
	ExecutionState run.ExecutionState `json:"executionState,omitempty"`
	FinalMessage   string             `json:"finalMessage,omitempty"`
}
