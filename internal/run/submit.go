package run

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/content"
)

// Judge decides about a submission without changing anything: the workflow, the
// fold and readers of closed runs all ask here. The order of the checks is
// fixed; the first that fails answers.
func (r *Record) Judge(s *Submission) (*Acceptance, *Rejection) {
	if rejected := s.check(); rejected != nil {
		return nil, rejected
	}
	t := r.TaskByID(s.TaskID)
	if t == nil {
		return nil, reject(CodeTaskNotFound, fmt.Sprintf("run %s has no task %q", r.RunID, s.TaskID), "use a task ID that the run shows")
	}
	digest := s.Digest()
	if t.Host != nil && t.Host.ResultSHA256 == digest {
		return &Acceptance{TaskID: t.ID, ResultSHA256: digest, SubmissionID: t.Host.SubmissionID, Duplicate: true}, nil
	}
	for _, check := range []func(*Task, *Submission) *Rejection{r.checkOpen, r.checkSize, r.checkClaim, checkPrompt} {
		if rejected := check(t, s); rejected != nil {
			return nil, rejected
		}
	}
	return &Acceptance{TaskID: t.ID, ResultSHA256: digest, SubmissionID: s.SubmissionID}, nil
}

// check looks at the submission alone.
func (s *Submission) check() *Rejection {
	const next = `send {"taskId": "…", "outcome": "done" or "failed", "output": "…"}`
	switch {
	case s.TaskID == "":
		return reject(CodeHostResultInvalid, "the result names no task", next)
	case s.Outcome != OutcomeDone && s.Outcome != OutcomeFailed:
		return reject(CodeHostResultInvalid, fmt.Sprintf("the outcome is %q", s.Outcome), next)
	}
	for _, text := range []string{s.Output.Inline, s.Error, s.HostRole, s.Model, s.Provider, s.SubmissionID} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return reject(CodeHostResultInvalid, "the result holds NUL or bytes that are not UTF-8", "send plain text")
		}
	}
	return nil
}

func (r *Record) checkOpen(t *Task, _ *Submission) *Rejection {
	switch {
	case r.Status.IsTerminal():
		return reject(CodeRunAlreadyEnded, fmt.Sprintf("the run has ended as %s", r.Status), "start a new run")
	case t.Backend == BackendHost && t.Status == TaskDone:
		return reject(CodeHostRecorded, "task "+t.ID+" has another result already", "go on with the next task")
	case t.Status != TaskAwaitingHost:
		return reject(CodeTaskNotAwaiting, fmt.Sprintf("task %s is %s and awaits no host", t.ID, t.Status), "ask for the next task")
	}
	return nil
}

func (r *Record) checkSize(_ *Task, s *Submission) *Rejection {
	switch {
	case s.Outcome == OutcomeDone && (s.Output.Size == 0 || !s.Output.IsRef() && strings.TrimSpace(s.Output.Inline) == ""):
		return reject(CodeHostEmpty, "the result is empty", "submit the deliverable itself, or outcome failed with an error")
	case s.Output.Size > MaxResult, len(s.Output.Inline) > MaxRawResult, len(s.Error) > MaxRawResult:
		return reject(CodeHostTooLarge, fmt.Sprintf("the result has %d bytes", s.Output.Size),
			"raw results may have 256 KiB; `tutti host submit` and MCP store larger ones, up to 4 MiB, first")
	case r.RawBytes+len(s.Output.Inline) > MaxRawBytes:
		return reject(CodeHostTooLarge, "the run's raw results are over 8 MiB in all", "submit with `tutti host submit`")
	}
	return nil
}

// checkClaim lets a result in that no live claim of somebody else stands against.
func (r *Record) checkClaim(t *Task, s *Submission) *Rejection {
	if t.Host == nil || t.Host.ClaimToken == 0 || s.ClaimToken == t.Host.ClaimToken {
		return nil
	}
	live := t.Host.ClaimExpires != nil && r.now.Before(*t.Host.ClaimExpires)
	if s.ClaimToken != 0 || live && s.SubmittedBy != t.Host.ClaimedBy {
		return reject(CodeHostClaimLost, "another host has task "+t.ID+" in hand", "ask for the next task; its result counts, not this one")
	}
	return nil
}

func checkPrompt(t *Task, s *Submission) *Rejection {
	if s.PromptSHA256 != "" && s.PromptSHA256 != t.PromptSHA256 {
		return reject(CodeHostPrompt, "the result is for another prompt than task "+t.ID+" was given", "fetch the prompt again and execute that one")
	}
	return nil
}

// submit applies a submission that came by either door.
func (r *Record) submit(e HostSubmitted) error {
	accepted, rejected := r.Judge(&e.Submission)
	if rejected != nil {
		if e.Signal {
			r.noteRejected(RejectedSignal{TaskID: e.Task(), Code: rejected.Code})
		}
		return nil
	}
	if accepted.Duplicate {
		return nil
	}
	t := r.TaskByID(e.Task())
	r.RawBytes += len(e.Submission.Output.Inline)
	return t.take(&e.Submission, accepted.ResultSHA256)
}

func (r *Record) noteRejected(s RejectedSignal) {
	if len(r.RejectedSignals) < keptSignals {
		r.RejectedSignals = append(r.RejectedSignals, s)
		return
	}
	r.MoreRejectedSignals++
}

// take makes a submission the task's result.
func (t *Task) take(s *Submission, digest string) error {
	host := t.host()
	host.Role, host.ResultSHA256, host.SubmissionID = s.role(), digest, s.SubmissionID
	host.ClientName, host.ClientVersion, host.Session = s.ClientName, s.ClientVer, s.Session
	t.Executor, t.ProvenanceSource = "host:"+host.Role, ProvenanceHost
	if s.Model != "" {
		t.Provider, t.Model, host.ModelSource = s.Provider, s.Model, s.ModelSource
	}
	if s.Usage != nil {
		t.Usage = t.Usage.Add(*s.Usage)
	}
	if s.Reasoning != "" {
		// A comment refuses no result: it is cut and cleaned instead.
		t.setReasoning(content.Of(Clip(strings.ReplaceAll(s.Reasoning, "\x00", "\uFFFD"), content.InlineLimit)))
	}
	if s.Outcome == OutcomeFailed {
		t.Error = &Failure{
			Code: CodeHostFailure, Message: Clip(cmp.Or(s.Error, "the host reported a failure without a reason"), 1<<10),
			Remediation: "read the host's reason, then submit the run again or choose another backend",
		}
		t.ExecutionState = StateFailed
		return t.goTo(TaskFailed)
	}
	t.setOutput(s.Output)
	t.ExecutionState = StateExecuted
	if len(s.Output.Inline) > rawInline {
		t.Output = ""
		t.turns.store, t.turns.storing = true, true
	}
	return t.goTo(TaskDone)
}

// rawInline is the longest raw result that stays where it is; a longer one is
// moved into the store before anything else sees it.
const rawInline = 8 << 10

func (s *Submission) role() string {
	if s.HostRole != "" {
		return s.HostRole
	}
	return "update"
}

func (t *Task) host() *Host {
	if t.Host == nil {
		t.Host = &Host{}
	} else {
		copied := *t.Host
		t.Host = &copied
	}
	return t.Host
}
