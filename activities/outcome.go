package activities

import (
	"math"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

const (
	// longestWait is the longest advised wait that an attempt waits for by
	// Temporal's retry; a longer one ends the activity at once.
	longestWait = 60 * time.Second

	defaultInitialBackoff = 500 * time.Millisecond
	defaultMaxBackoff     = 20 * time.Second
)

// request is the question as the task asks it.
func (c *call) request(system, user string) provider.Request {
	return provider.Request{
		Provider: c.in.Provider, Model: c.in.Model, System: system, User: user,
		MaxTokens: c.maxTokens(), Temperature: c.in.Temperature,
		Effort: c.in.Effort, Reasoning: c.in.Reasoning, Extras: c.in.Extras,
	}
}

// maxTokens is the ceiling of the visible answer. The model's ceiling includes
// the reasoning, for which the dialects add the headroom themselves.
func (c *call) maxTokens() int {
	switch ceiling := c.in.Ceiling; {
	case c.in.MaxTokens > 0:
		return c.in.MaxTokens
	case c.in.Effort != "" && ceiling > provider.ReasoningHeadroom:
		return ceiling - provider.ReasoningHeadroom
	default:
		return ceiling
	}
}

// failure is what an outcome without text means for Temporal.
func (c *call) failure(o provider.Outcome) error {
	f := &failed{
		retry: o.Retryable(),
		failure: run.Failure{
			Code: run.Code(o.Code()), Class: string(o.Class),
			Message: o.Message(c.in.Provider), Remediation: provider.Remediation(o.Class, c.in.Provider, c.keySource),
		},
	}
	if o.RetryAfter != nil {
		ms := o.RetryAfter.Milliseconds()
		f.failure.RetryAfterMS = &ms
		if *o.RetryAfter > longestWait {
			f.retry = false
		}
	}
	f.wait = c.wait(o.RetryAfter)
	return f
}

// wait is how long Temporal waits before the next attempt: at least what the
// provider advised, else a doubling backoff with full jitter.
func (c *call) wait(advised *time.Duration) time.Duration {
	first := orDefault(c.in.Limits.InitialBackoffMS, defaultInitialBackoff)
	most := orDefault(c.in.Limits.MaxBackoffMS, defaultMaxBackoff)
	ceiling := min(float64(first)*math.Pow(2, float64(c.attempt-1)), float64(most))
	wait := time.Duration(ceiling * c.a.d.Jitter())
	if advised != nil {
		wait = max(wait, *advised)
	}
	// Temporal reads a zero delay as "use the policy's own".
	return min(max(wait, time.Millisecond), longestWait)
}

func orDefault(ms int64, otherwise time.Duration) time.Duration {
	if ms == 0 {
		return otherwise
	}
	return durationMS(ms)
}

func durationMS(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// result is the answer but for its texts and its bill.
func (c *call) result(o provider.Outcome, used run.Usage) history.TaskResult {
	var apart *run.Usage
	if c.before.attempts > 0 {
		apart = &used // With one attempt it is the task's usage.
	}
	r := history.TaskResult{
		Executor: run.ExecutorProvider(c.in.Provider, c.in.Model), Provider: c.in.Provider, Model: c.in.Model,
		Prompt: c.prompt, Truncated: o.Truncated(),
		Meta: &run.ProviderMeta{
			ResolvedModel: o.ResolvedModel, FinishReason: o.FinishReason, NativeFinishReason: o.NativeFinishReason,
			Usage: apart, ElapsedMS: o.Elapsed.Milliseconds(), RequestID: o.RequestID,
			ReasoningRequested: c.in.Effort != "" || c.in.Reasoning == provider.ReasoningSurface,
			ReasoningReturned:  o.ReasoningReturned,
		},
	}
	if r.Truncated {
		r.Warnings = append(r.Warnings, "the model ran out of room: the answer is cut")
	}
	if len(c.in.FallenBack) > 0 {
		models := append(append([]string(nil), c.in.FallenBack...), c.in.Name())
		r.Degradations = append(r.Degradations, run.Degradation{
			Reason: run.DegradedSameFamilyFallback, Detail: strings.Join(models, " → "),
		})
	}
	return r
}

// billed puts the bill of all attempts on a result.
func billed(r history.TaskResult, b bill) history.TaskResult {
	r.Usage, r.Charge = b.usage, b.charge
	if r.Meta != nil {
		meta := *r.Meta
		meta.Attempts = b.attempts
		r.Meta = &meta
	}
	return r
}
