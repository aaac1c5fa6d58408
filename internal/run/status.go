package run

// Status is the state of a run.
type Status string

const (
	// Planned: the run has been accepted and no workflow task has completed yet.
	// It leaves this state by itself as soon as a worker polls the queue; a
	// restart changes nothing.
	Planned Status = "planned"
	// Running: at least one workflow task has completed and the run can go on
	// without anybody's help. After a restart Temporal replays it to the same point.
	Running Status = "running"
	// AwaitingHost: at least one task waits for a host and nothing else can run,
	// save a parked task. It is not terminal and not a failure: it waits, for
	// weeks if need be, until a host submits a result or somebody cancels.
	AwaitingHost Status = "awaiting-host"
	// Completed: every task is done, none degraded.
	Completed Status = "completed"
	// CompletedPrepareOnly: every task was prepared and nothing was executed.
	CompletedPrepareOnly Status = "completed-prepare-only"
	// CompletedWithFailures: every task has ended, at least one failed or was skipped.
	CompletedWithFailures Status = "completed-with-failures"
	// Degraded: every task has ended without failure, but not all as asked for.
	Degraded Status = "degraded"
	// Cancelled: somebody asked for the end before the run had ended.
	Cancelled Status = "cancelled"
	// Errored: the run itself failed, or the server ended it.
	Errored Status = "error"
)

// IsTerminal says that the run has ended and will never change again.
func (s Status) IsTerminal() bool {
	switch s {
	case Completed, CompletedPrepareOnly, CompletedWithFailures, Degraded, Cancelled, Errored:
		return true
	case Planned, Running, AwaitingHost:
		return false
	}
	return false
}

// Statuses lists every run status, in the order of a run's life.
func Statuses() []Status {
	return []Status{
		Planned, Running, AwaitingHost,
		Completed, CompletedPrepareOnly, CompletedWithFailures, Degraded, Cancelled, Errored,
	}
}

// TaskStatus is the state of a task.
type TaskStatus string

const (
	// TaskQueued: the task waits for the tasks it needs, or for its turn.
	TaskQueued TaskStatus = "queued"
	// TaskRunning: an activity is scheduled for it. A dead worker is noticed by
	// the missing heartbeat and Temporal starts the next attempt.
	TaskRunning TaskStatus = "running"
	// TaskAwaitingHost: the prompt is ready and a host has to submit the result.
	TaskAwaitingHost TaskStatus = "awaiting-host"
	// TaskParked: the provider asked for a long wait and a durable timer runs.
	TaskParked TaskStatus = "parked"
	// TaskPrepared: the prompt was prepared; nothing was executed. Terminal.
	TaskPrepared TaskStatus = "prepared"
	// TaskDone: there is a result. Terminal.
	TaskDone TaskStatus = "done"
	// TaskFailed: there is none, and the error says why. Terminal.
	TaskFailed TaskStatus = "failed"
	// TaskSkipped: the task was never started, for SkipReason. Terminal.
	TaskSkipped TaskStatus = "skipped"
	// TaskCancelled: the run ended before the task did. Terminal.
	TaskCancelled TaskStatus = "cancelled"
)

// IsTerminal says that the task has ended.
func (s TaskStatus) IsTerminal() bool {
	switch s {
	case TaskPrepared, TaskDone, TaskFailed, TaskSkipped, TaskCancelled:
		return true
	case TaskQueued, TaskRunning, TaskAwaitingHost, TaskParked:
		return false
	}
	return false
}

// TaskStatuses lists every task status.
func TaskStatuses() []TaskStatus {
	return []TaskStatus{
		TaskQueued, TaskRunning, TaskAwaitingHost, TaskParked,
		TaskPrepared, TaskDone, TaskFailed, TaskSkipped, TaskCancelled,
	}
}

// SkipReason says why a task was never started.
type SkipReason string

const (
	// SkipUpstreamFailed: a task that it needs failed or was skipped itself.
	SkipUpstreamFailed SkipReason = "upstream-failed"
	// SkipBudgetExceeded: the run's budget does not allow another call.
	SkipBudgetExceeded SkipReason = "budget-exceeded"
)
