package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/internal/run"
)

// noTime is the time of everything inside the workflow: records there carry none.
var noTime time.Time

// Timing is what a deployment may set; it changes no decision.
type Timing struct {
	// Heartbeat is how long a silent activity is taken to be alive. The first
	// beat comes after a third of it, so a call of ten seconds costs no beat, and
	// a dead worker is noticed within it.
	Heartbeat time.Duration
	// Queue is how long a task waits in a provider's own queue before somebody
	// asks whether anybody polls it.
	Queue time.Duration
}

// DefaultTiming is for production.
func DefaultTiming() Timing { return Timing{Heartbeat: 30 * time.Second, Queue: 10 * time.Minute} }

// DevTiming is a tenth, so that a killed worker is noticed while one watches.
func DevTiming() Timing { return Timing{Heartbeat: 3 * time.Second, Queue: time.Minute} }

const (
	// defaultAttemptTimeout bounds one HTTP request when the plan says nothing.
	defaultAttemptTimeout = 120 * time.Second
	// attemptSlack is what an attempt may take around its request: waiting for one
	// of the provider's slots, and storing the answer while the store is away. The
	// HTTP deadline bounds the request itself, and a missing heartbeat tells of a
	// dead worker long before.
	attemptSlack = 10 * time.Minute
	// promptTimeout bounds the making of a prompt and of a plan, which is reading
	// and writing texts.
	promptTimeout = 60 * time.Second

	defaultMaxAttempts    = 3
	defaultInitialBackoff = 500 * time.Millisecond
	defaultMaxBackoff     = 20 * time.Second
)

func (l *life) callOptions(activityID string, choice run.ModelChoice, summary string) workflow.ActivityOptions {
	o := workflow.ActivityOptions{
		ActivityID:          activityID,
		Summary:             summary,
		StartToCloseTimeout: millis(choice.Limits.TimeoutMS, defaultAttemptTimeout) + attemptSlack,
		HeartbeatTimeout:    l.runs.timing.Heartbeat,
		WaitForCancellation: true, // An answer that the cancel crossed on its way still counts.
		RetryPolicy:         retryPolicy(choice.Limits),
	}
	if choice.Queue != "" {
		// Only here: on tutti's own queue the worker may be away for days.
		o.TaskQueue, o.ScheduleToStartTimeout = choice.Queue, l.runs.timing.Queue
	}
	return o
}

func (l *life) promptOptions(activityID, summary string) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		ActivityID:          activityID,
		Summary:             summary,
		StartToCloseTimeout: promptTimeout,
		HeartbeatTimeout:    l.runs.timing.Heartbeat,
		WaitForCancellation: true,
		RetryPolicy:         retryPolicy(run.Limits{}),
	}
}

// retryPolicy is the only place where anything is tried again. The activity
// sets each wait itself, because Temporal's backoff has no jitter; these
// intervals are for attempts that ended without saying so.
func retryPolicy(limits run.Limits) *temporal.RetryPolicy {
	attempts := limits.MaxAttempts
	if attempts == 0 {
		attempts = defaultMaxAttempts
	}
	return &temporal.RetryPolicy{
		InitialInterval:    millis(limits.InitialBackoffMS, defaultInitialBackoff),
		BackoffCoefficient: 2,
		MaximumInterval:    millis(limits.MaxBackoffMS, defaultMaxBackoff),
		MaximumAttempts:    int32(min(attempts, 1000)), //nolint:gosec // bounded right here
	}
}

func millis(ms int64, otherwise time.Duration) time.Duration {
	if ms == 0 {
		return otherwise
	}
	return time.Duration(ms) * time.Millisecond
}
