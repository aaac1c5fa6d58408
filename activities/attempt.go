package activities

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

const (
	// longestWait is the longest advised wait that an attempt waits for by
	// Temporal's retry; a longer one fails at once.
	longestWait = 60 * time.Second

	defaultInitialBackoff = 500 * time.Millisecond
	defaultMaxBackoff     = 20 * time.Second
)

// begin records the attempt before its request, keeps the prompt for those who
// read it later, and closes what an earlier attempt left open.
func (c *call) begin(ctx context.Context, system, user string) error {
	if c.storeDown {
		return nil
	}
	if err := c.settleEarlier(ctx); err != nil {
		return err
	}
	for _, text := range []string{system, user} {
		if _, err := content.Keep(ctx, c.a.d.Store, c.in.TenantID, text, -1); err != nil {
			return err
		}
	}
	row, err := c.a.d.Store.BeginAttempt(ctx, ledger.Attempt{
		CallKey: c.key, Source: c.source, Kind: "model", IdempotencyClass: "at-least-once",
		Provider: c.in.Provider, Model: c.in.Model, PromptSHA256: c.prompt.SHA256, StartedAt: c.a.d.Now(),
	})
	if err != nil {
		return fmt.Errorf("record the attempt: %w: %w", content.ErrUnavailable, err)
	}
	c.row = row
	return nil
}

// settleEarlier sums up earlier attempts. One that is still open died between
// its request and its answer: nobody knows whether it was paid for.
func (c *call) settleEarlier(ctx context.Context) error {
	attempts, err := c.a.d.Store.Attempts(ctx, c.key)
	if err != nil {
		return fmt.Errorf("read earlier attempts: %w: %w", content.ErrUnavailable, err)
	}
	for _, earlier := range attempts {
		if earlier.Source == c.source {
			continue
		}
		if earlier.State == ledger.Started {
			closing := ledger.Closing{State: ledger.Uncertain, FinishedAt: c.a.d.Now()}
			if _, err := c.a.d.Store.CloseAttempt(ctx, c.key, earlier.Attempt, closing); err != nil {
				return fmt.Errorf("close attempt %d: %w: %w", earlier.Attempt, content.ErrUnavailable, err)
			}
			earlier.State = ledger.Uncertain
		}
		if earlier.State == ledger.Uncertain {
			c.before.CallsUncertain++
		}
		c.before = c.before.Add(earlier.Usage)
	}
	return nil
}

// close ends this attempt's row. That it cannot be reached now changes nothing:
// the row stays open and the next reader calls it uncertain.
func (c *call) close(ctx context.Context, closing ledger.Closing) {
	if c.row == 0 {
		return
	}
	closing.FinishedAt = c.a.d.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := c.a.d.Store.CloseAttempt(ctx, c.key, c.row, closing); err != nil {
		c.a.d.Log.Warn("the attempt's end was not recorded", "run_id", c.in.RunID, "task", c.in.TaskID,
			"attempt", c.row, "error", err)
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

func usageOf(o provider.Outcome) run.Usage {
	u := run.Usage{
		InputTokens: o.Usage.InputTokens, CachedInputTokens: o.Usage.CachedInputTokens,
		CacheWriteInputTokens: o.Usage.CacheWriteInputTokens,
		OutputTokens:          o.Usage.OutputTokens, ReasoningTokens: o.Usage.ReasoningTokens,
	}
	if o.Class.Success() {
		u.UnpricedCalls = 1
	}
	return u
}

// result is the answer but for its text.
func (c *call) result(o provider.Outcome) history.TaskResult {
	total := c.before.Add(c.used)
	r := history.TaskResult{
		Executor: run.ExecutorProvider(c.in.Provider, c.in.Model), Provider: c.in.Provider, Model: c.in.Model,
		Prompt: c.prompt, Truncated: o.Truncated(), Usage: total,
		Meta: &run.ProviderMeta{
			ResolvedModel: o.ResolvedModel, FinishReason: o.FinishReason, NativeFinishReason: o.NativeFinishReason,
			ElapsedMS: o.Elapsed.Milliseconds(), Attempts: max(c.row, c.attempt), RequestID: o.RequestID,
			ReasoningReturned: o.ReasoningReturned,
		},
	}
	if r.Truncated {
		r.Warnings = append(r.Warnings, "the model ran out of room: the answer is cut")
	}
	return r
}
