package run

import (
	"time"

	"github.com/tutti-dev/tutti/internal/content"
)

// Event is one fact of a run's life. The set is closed: Apply knows each.
type Event interface {
	// Task is the ID of the task it is about, or empty.
	Task() string
}

// ofRun is what the events of a whole run share.
type ofRun struct{}

// Task implements Event.
func (ofRun) Task() string { return "" }

// OfTask is what the events of one task share.
type OfTask struct {
	TaskID string `json:"taskId"`
}

// Task implements Event.
func (e OfTask) Task() string { return e.TaskID }

// Started opens a run. Plan is nil when the run was started by hand and the
// plan is still to be resolved.
type Started struct {
	ofRun
	RunID         string  `json:"runId"`
	TemporalRunID string  `json:"temporalRunId,omitempty"`
	TenantID      string  `json:"tenantId"`
	PrincipalID   string  `json:"principalId"`
	Request       Request `json:"request"`
	Plan          *Plan   `json:"plan,omitempty"`
}

// PlanResolved gives a run started by hand what it was missing.
type PlanResolved struct {
	ofRun
	TenantID    string `json:"tenantId"`
	PrincipalID string `json:"principalId"`
	Plan        Plan   `json:"plan"`
}

// PlanFailed ends a run whose input cannot be made into a plan.
type PlanFailed struct {
	ofRun
	Error RunError `json:"error"`
}

// PlanStopped says that planning ended by cancellation.
type PlanStopped struct{ ofRun }

// TaskScheduled says that a task's activity was scheduled.
type TaskScheduled struct {
	OfTask
	Call int `json:"call"`
}

// PromptInfo is what is known of a task's prompt once it was made.
type PromptInfo struct {
	Version   string     `json:"promptVersion,omitempty"`
	SHA256    string     `json:"promptSha256,omitempty"`
	Truncated bool       `json:"promptTruncated,omitempty"`
	Ref       *PromptRef `json:"prompt,omitempty"`
}

// TaskPromptReady says that the prompt of an inline task was prepared.
type TaskPromptReady struct {
	OfTask
	Prompt PromptInfo `json:"prompt"`
}

// TaskAnswered says that a provider's model answered.
type TaskAnswered struct {
	OfTask
	Executor     string        `json:"executor"`
	Prompt       PromptInfo    `json:"prompt"`
	Output       content.Text  `json:"output"`
	Truncated    bool          `json:"truncated,omitempty"`
	Provider     string        `json:"provider,omitempty"`
	Model        string        `json:"model,omitempty"`
	Meta         *ProviderMeta `json:"providerMeta,omitempty"`
	Usage        Usage         `json:"usage"`
	Charge       Charge        `json:"charge,omitzero"`
	Reasoning    content.Text  `json:"reasoning,omitzero"`
	Degradations []Degradation `json:"degradations,omitempty"`
	Warnings     []string      `json:"warnings,omitempty"`
}

// TaskErrored says that a task has no result and will get none.
type TaskErrored struct {
	OfTask
	Prompt  PromptInfo `json:"prompt"`
	Failure Failure    `json:"error"`
	Usage   Usage      `json:"usage"`
	Charge  Charge     `json:"charge,omitzero"`
}

// HostSubmitted says that a host handed in a result. Whether it counts is decided
// when the event is applied.
type HostSubmitted struct {
	ofRun                 //nolint:unused // an event's mark; the task is the host's word
	Submission Submission `json:"submission"`
	// Signal says that it came by the door that gives no verdict, so that a
	// rejection has to stand on the record.
	Signal bool `json:"signal,omitempty"`
}

// Task is the task that the host named, which the run may not have.
func (e HostSubmitted) Task() string { return e.Submission.TaskID }

// Task is the task that the host named, if it named one.
func (e HostClaimed) Task() string { return e.Claim.TaskID }

// SignalUnreadable says that a signal came that holds no submission.
type SignalUnreadable struct{ ofRun }

// HostClaimed says that a host asked for a lease on an awaiting task.
type HostClaimed struct {
	ofRun              //nolint:unused // an event's mark; the task is the host's word
	Claim ClaimRequest `json:"claim"`
}

// ContentStored says that a task's raw result is in the store now.
type ContentStored struct {
	OfTask
	Text content.Text `json:"text"`
}

// ContentDeferred says that a raw result could not be moved into the store now.
type ContentDeferred struct{ OfTask }

// TaskUnclaimed says that nobody took a task from its provider's own queue in time.
type TaskUnclaimed struct{ OfTask }

// QueueInspected says how many workers poll the queue that a task waits in.
type QueueInspected struct {
	OfTask
	Pollers int `json:"pollers"`
}

// TaskResumed says that the timer of a parked task has fired.
type TaskResumed struct{ OfTask }

// TimerSet says when a parked task goes on. Only a history knows; the workflow
// carries no times.
type TimerSet struct {
	OfTask
	ResumeAt time.Time `json:"resumeAt"`
}

// TaskStopped says that a task ended by cancellation.
type TaskStopped struct {
	OfTask
	Usage  Usage  `json:"usage"`
	Charge Charge `json:"charge,omitzero"`
}

// TaskPassedOver says that a task will not be started.
type TaskPassedOver struct {
	OfTask
	Reason SkipReason `json:"reason"`
}

// CancelRequested says that somebody asked the run to end.
type CancelRequested struct{ ofRun }

// Closed says that nothing is left to do; Finalize decides as what the run ends.
type Closed struct{ ofRun }

// Ended says that the server ended the run, or that the workflow failed in a
// way that it did not decide itself.
type Ended struct {
	ofRun
	Error RunError `json:"error"`
}

// TypeOf is an event's name in `tutti run events`, SQL and telemetry.
func TypeOf(e Event) string { //nolint:funlen // one line for each type
	switch e.(type) {
	case Started:
		return "run-started"
	case PlanResolved:
		return "plan-resolved"
	case PlanFailed:
		return "plan-failed"
	case PlanStopped:
		return "plan-cancelled"
	case TaskScheduled:
		return "task-scheduled"
	case TaskPromptReady:
		return "task-prompt-ready"
	case TaskAnswered:
		return "task-answered"
	case TaskErrored:
		return "task-failed"
	case HostSubmitted:
		return "host-submitted"
	case SignalUnreadable:
		return "signal-unreadable"
	case HostClaimed:
		return "host-claimed"
	case ContentStored:
		return "content-stored"
	case ContentDeferred:
		return "content-deferred"
	case TaskUnclaimed:
		return "task-unclaimed"
	case QueueInspected:
		return "queue-inspected"
	case TaskResumed:
		return "task-resumed"
	case TimerSet:
		return "timer-set"
	case TaskStopped:
		return "task-cancelled"
	case TaskPassedOver:
		return "task-skipped"
	case CancelRequested:
		return "cancel-requested"
	case Closed:
		return "run-closed"
	case Ended:
		return "run-ended"
	}
	return "unknown"
}
