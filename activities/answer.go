package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
)

// look returns the stored answer of this call and prompt, if there is one.
func (c *call) look(ctx context.Context) (result history.TaskResult, found bool, err error) {
	var answer ledger.Answer
	err = c.reach(ctx, func(ctx context.Context) error {
		answer, err = c.a.d.Store.LoadAnswer(ctx, c.key, c.prompt.SHA256)
		found = err == nil
		if errors.Is(err, ledger.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil || !found {
		return history.TaskResult{}, false, err
	}
	stored, err := history.DecodeAnswer(answer.Body)
	if err != nil {
		return history.TaskResult{}, false, err
	}
	result, err = c.found(ctx, stored)
	return result, true, err
}

// found settles the attempts of a call whose answer is stored: the one that it
// is of was answered, whether or not it could say so itself.
func (c *call) found(ctx context.Context, stored history.StoredAnswer) (history.TaskResult, error) {
	by := c.unrecorded([]history.Attempt{stored.By})
	err := c.reach(ctx, func(ctx context.Context) error {
		if err := kept.Record(ctx, c.a.d.Store, by); err != nil {
			return err
		}
		return c.settle(ctx, stored.By.Source)
	})
	return billed(stored.Result, c.before), err
}

// keep stores the answer and returns the one that counts: the first stored.
func (c *call) keep(ctx context.Context, outcome provider.Outcome) (history.TaskResult, error) {
	closing := ledger.Closing{
		State: ledger.Answered, Class: string(outcome.Class), RequestID: outcome.RequestID, Usage: c.usageOf(outcome),
	}
	// The answer is paid for: it is kept even if the run is cancelled meanwhile.
	ctx = context.WithoutCancel(ctx)
	result, err := c.texts(ctx, outcome, c.result(outcome, closing.Usage))
	if err != nil {
		c.close(ctx, closing)
		return history.TaskResult{}, err
	}
	stored, err := c.save(ctx, result, closing)
	switch {
	case err != nil:
		c.a.d.Log.Warn("the answer travels in the history: the store cannot be reached",
			"run_id", c.in.RunID, "task", c.in.TaskID, "error", err)
		c.storeDown = true
	case stored.By.Source != c.own.Source:
		// Another worker was first. This answer was paid for and is not used.
		closing.State = ledger.Abandoned
		result = stored.Result
	}
	c.close(ctx, closing)
	result = billed(result, c.total)
	result.Unrecorded = c.lacking()
	return result, nil
}

// texts keeps the answer's texts. A small one needs no store. A large one is
// offered to the store for as long as the attempt may last.
func (c *call) texts(ctx context.Context, o provider.Outcome, r history.TaskResult) (history.TaskResult, error) {
	keep := func(into *content.Text, text string) error {
		text = content.Clean(text)
		return c.a.insist(ctx, c.left(storeMargin/2), func(ctx context.Context) (err error) {
			*into, err = content.Keep(ctx, c.a.d.Store, c.in.TenantID, text, content.InlineLimit)
			return err
		})
	}
	if err := keep(&r.Output, o.Text); err != nil {
		return r, fmt.Errorf("keep the answer: %w", err)
	}
	if o.Reasoning == "" || c.in.Reasoning != provider.ReasoningSurface {
		return r, nil
	}
	if err := keep(&r.Reasoning, o.Reasoning); err != nil {
		return r, fmt.Errorf("keep the reasoning: %w", err)
	}
	return r, nil
}

// save stores the answer if it is the first, and returns the one that is stored.
func (c *call) save(ctx context.Context, r history.TaskResult, closing ledger.Closing) (stored history.StoredAnswer, err error) {
	by := c.own
	by.Closing = closing
	by.FinishedAt = c.a.d.Now()
	body, err := history.StoredAnswer{By: kept.Travelling(by), Result: r}.Encode()
	if err != nil {
		return stored, err
	}
	err = c.a.ask(ctx, func(ctx context.Context) error {
		answer, err := c.a.d.Store.SaveAnswer(ctx, ledger.Answer{
			CallKey: c.key, PromptSHA256: c.prompt.SHA256, Body: body, StoredAt: by.FinishedAt,
		})
		if err != nil {
			return err
		}
		stored, err = history.DecodeAnswer(answer.Body)
		return err
	})
	return stored, err
}

// left is how much of the attempt's time is left, less a margin.
func (c *call) left(margin time.Duration) time.Duration {
	if c.deadline.IsZero() {
		return c.a.d.Patience
	}
	return max(time.Until(c.deadline)-margin, 0)
}
