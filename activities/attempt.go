package activities

import (
	"context"
	"strings"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// begin records the attempt before its request, keeps the prompt for those who
// read it later, and settles what earlier attempts left open.
func (c *call) begin(ctx context.Context, m specialist.Messages) error {
	if !c.first {
		if err := c.allow(ctx); err != nil {
			return err
		}
	}
	c.own.StartedAt = c.a.d.Now()
	if err := c.reach(ctx, func(ctx context.Context) error { return c.record(ctx, m) }); err != nil {
		return err
	}
	c.begun = true
	if c.storeDown {
		c.travel(c.activity)
	}
	// A first attempt asks nobody's leave, and mostly there was none before it: its
	// number tells. After a reset there may be.
	if c.first && c.own.Attempt > 1 {
		return c.reach(ctx, func(ctx context.Context) error { return c.settle(ctx, "") })
	}
	return nil
}

// allow settles what earlier attempts left open and asks whether the run can afford
// another one.
func (c *call) allow(ctx context.Context) error {
	if err := c.reach(ctx, func(ctx context.Context) error { return c.settle(ctx, "") }); err != nil {
		return err
	}
	if !c.before.allows(c.estimate, c.in.Allowance) {
		return &Refusal{
			Code:        run.CodeBudget,
			Message:     "another attempt could cost more than the run's budget leaves",
			Remediation: "submit again with a higher --max-cost or --max-tokens",
		}
	}
	return nil
}

func (c *call) record(ctx context.Context, m specialist.Messages) (err error) {
	for _, text := range []string{m.System, m.User} {
		if _, err := content.Keep(ctx, c.a.d.Store, c.in.TenantID, text, -1); err != nil {
			return err
		}
	}
	if c.in.Price != nil {
		row := ledger.PriceRow{
			Tenant: c.in.TenantID, Provider: c.in.Provider, Model: c.in.Model, Price: *c.in.Price, RecordedAt: c.own.StartedAt,
		}
		if err := c.a.d.Store.RecordPrice(ctx, row); err != nil {
			return err
		}
	}
	c.own.Attempt, err = c.a.d.Store.BeginAttempt(ctx, c.own)
	return err
}

// settle closes what earlier attempts left open and counts what they used. One
// that is still open died between its request and its answer: nobody knows
// whether it was paid for, unless the stored answer says that it is its.
func (c *call) settle(ctx context.Context, answeredBy string) error {
	if err := c.recordCarried(ctx); err != nil {
		return err
	}
	attempts, err := c.a.d.Store.Attempts(ctx, c.key)
	if err != nil {
		return err
	}
	var before bill
	for _, earlier := range attempts {
		if earlier.Source == c.own.Source && earlier.Source != answeredBy {
			continue
		}
		found := earlier.State == ledger.Started
		if found && earlier.Source != answeredBy {
			earlier.Closing = kept.Lost(c.a.d.Now())
			if _, err := c.a.d.Store.CloseAttempt(ctx, c.key, earlier.Attempt, earlier.Closing); err != nil {
				return err
			}
		}
		if found || earlier.Source == answeredBy || c.counts(earlier) {
			before.add(earlier.Usage, c.estimate)
		}
	}
	c.before = before
	return nil
}

// counts says whether an attempt is this activity's to report. What an activity
// before this one used, it has reported itself; but an attempt of its that was
// found open later than that is reported by whoever found it.
func (c *call) counts(a ledger.Attempt) bool {
	return strings.HasPrefix(a.Source, c.sources) ||
		a.State == ledger.Uncertain && !a.FinishedAt.Before(c.scheduled)
}

// close ends this attempt and counts it. If the store cannot be told, the
// attempt travels.
func (c *call) close(ctx context.Context, closing ledger.Closing) {
	closing.FinishedAt = c.a.d.Now()
	c.own.Closing = closing
	c.total = c.before
	c.total.add(closing.Usage, c.estimate)
	if c.storeDown {
		c.travel(c.activity)
		return
	}
	err := c.a.ask(context.WithoutCancel(ctx), func(ctx context.Context) error {
		_, err := c.a.d.Store.CloseAttempt(ctx, c.key, c.own.Attempt, closing)
		return err
	})
	if err != nil {
		c.a.d.Log.Warn("the attempt's end was not recorded and travels", "run_id", c.in.RunID, "task", c.in.TaskID,
			"attempt", c.own.Attempt, "error", err)
		c.travel(c.activity)
	}
}
