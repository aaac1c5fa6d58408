package history

import (
	"errors"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/run"
)

// Outcome reads how an activity ended. The workflow fills it from a future, the
// fold from a history event. Get decodes the result.
type Outcome struct {
	Err error
	Get func(into any) error
}

// TaskEvent is what an activity's end means for its task. Call is 0 for a
// prompt activity. An undecodable result is an error: no reader may guess.
func TaskEvent(taskID string, call int, o Outcome) (run.Event, error) {
	of := run.OfTask{TaskID: taskID}
	if o.Err != nil {
		return taskFailure(of, call, o.Err), nil
	}
	if call == 0 {
		var result PromptResult
		if err := o.Get(&result); err != nil {
			return nil, err
		}
		return run.TaskPromptReady{OfTask: of, Prompt: result.Prompt}, nil
	}
	var r TaskResult
	if err := o.Get(&r); err != nil {
		return nil, err
	}
	return run.TaskAnswered{
		OfTask: of, Executor: r.Executor, Prompt: r.Prompt, Output: r.Output, Truncated: r.Truncated,
		Provider: r.Provider, Model: r.Model, Meta: r.Meta, Usage: r.Usage,
		Charge: r.Charge, Reasoning: r.Reasoning,
		Degradations: r.Degradations, Warnings: r.Warnings,
	}, nil
}

// PlanEvent is what the end of the planning activity means for the run.
func PlanEvent(o Outcome) (run.Event, error) {
	if o.Err != nil {
		var canceled *temporal.CanceledError
		if errors.As(o.Err, &canceled) {
			return run.PlanStopped{}, nil
		}
		failure := DetailOf(o.Err).Failure
		return run.PlanFailed{Error: run.RunError{Code: planCode(failure.Code), Message: failure.Message}}, nil
	}
	var r PlanResult
	if err := o.Get(&r); err != nil {
		return nil, err
	}
	return run.PlanResolved{TenantID: r.TenantID, PrincipalID: r.PrincipalID, Plan: r.Plan}, nil
}

// planCode tells a plan that was refused, which is the input's fault, from one
// that could not be made, which is not.
func planCode(code run.Code) run.Code {
	switch code {
	case run.CodeInternal, run.CodeWorkerLost, run.CodeContent:
		return run.CodeInternal
	}
	return run.CodeRunInputInvalid
}

// QueueEvent is what the answer about a task's queue means. When nobody could be
// asked, the task waits on: it is not known that nobody will come.
func QueueEvent(taskID string, o Outcome) (run.Event, error) {
	of := run.OfTask{TaskID: taskID}
	var canceled *temporal.CanceledError
	if errors.As(o.Err, &canceled) {
		return run.TaskStopped{OfTask: of}, nil
	}
	if o.Err != nil {
		return run.QueueInspected{OfTask: of, Pollers: 1}, nil
	}
	var r QueueResult
	if err := o.Get(&r); err != nil {
		return nil, err
	}
	return run.QueueInspected{OfTask: of, Pollers: r.Pollers}, nil
}

func taskFailure(of run.OfTask, call int, err error) run.Event {
	var timeout *temporal.TimeoutError
	if errors.As(err, &timeout) && timeout.TimeoutType() == enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START {
		return run.TaskUnclaimed{OfTask: of}
	}
	d := DetailOf(err)
	var canceled *temporal.CanceledError
	if errors.As(err, &canceled) {
		return run.TaskStopped{OfTask: of, Usage: d.Usage, Charge: d.Charge}
	}
	if call > 0 && d.Failure.Code == run.CodeWorkerLost {
		d.Usage = d.Usage.Add(begun(err))
	}
	return run.TaskErrored{OfTask: of, Prompt: d.Prompt, Failure: d.Failure, Usage: d.Usage, Charge: d.Charge}
}

// DetailOf reads the failure that left an activity. Whatever is not one of ours
// becomes WORKER_LOST (Temporal's own timeout) or INTERNAL, without its text:
// an unknown error's text may hold anything.
func DetailOf(err error) FailureDetail {
	detail := lastDetail(err)
	if timedOut(err) {
		// The cause is how the attempt before ended. What that had used stays true.
		detail.Failure = workerLost()
		return detail
	}
	if detail.Failure.Code != "" {
		return detail
	}
	var canceled *temporal.CanceledError
	if errors.As(err, &canceled) {
		if canceled.HasDetails() {
			_ = canceled.Details(&detail) // Without readable details the usage is unknown, which is what it says.
		}
		return detail
	}
	detail.Failure = run.Failure{
		Code:        run.CodeInternal,
		Message:     "tutti failed in a way that it should not",
		Remediation: "look at the activity's error in the Temporal Web UI and report it",
	}
	return detail
}

// lastDetail is the detail of the last attempt that ended in an error of ours, or zero.
func lastDetail(err error) FailureDetail {
	var detail FailureDetail
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || !app.HasDetails() || app.Details(&detail) != nil || detail.Failure.Code == "" {
		return FailureDetail{}
	}
	return detail
}

// timedOut says that Temporal's own timeout ended the last attempt. A timeout
// after a failure that was retried carries that failure as its cause.
func timedOut(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		switch err.(type) { //nolint:errorlint // each link is looked at, to find which comes first
		case *temporal.TimeoutError:
			return true
		case *temporal.ApplicationError, *temporal.CanceledError:
			return false
		}
	}
	return false
}

// begun counts the calls that a lost worker had begun: what its last heartbeat
// tells, else the one that its attempt was there to make. Nobody knows whether
// they were answered and paid for.
func begun(err error) run.Usage {
	usage := run.Usage{CallsUncertain: 1}
	var timeout *temporal.TimeoutError
	var attempts []Attempt
	if !errors.As(err, &timeout) || !timeout.HasLastHeartbeatDetails() || timeout.LastHeartbeatDetails(&attempts) != nil {
		return usage
	}
	usage.CallsUncertain = 0
	for _, a := range attempts {
		usage = usage.Add(a.Usage)
		if a.State == attemptStarted {
			usage.CallsUncertain++
		}
	}
	return usage
}

func workerLost() run.Failure {
	return run.Failure{
		Code:        run.CodeWorkerLost,
		Message:     "the worker was lost or stopped answering during the last attempt",
		Remediation: "check the worker's log and machine, then submit the run again",
	}
}
