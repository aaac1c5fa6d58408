package activities

import (
	"context"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
)

const (
	defaultPatience = 10 * time.Second
	defaultLook     = 500 * time.Millisecond
	// storeTimeout bounds one question to the store, so that one that does not
	// answer is like one that is away.
	storeTimeout = 5 * time.Second
	// storeMargin is what is left of an attempt's time after its request, to store
	// the answer and to leave.
	storeMargin = 10 * time.Second
)

// ask asks the store once.
func (a *Activities) ask(ctx context.Context, question func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return question(ctx)
}

// insist asks the store again and again until it answers, the patience is over or
// nobody waits any more. The error is content.ErrUnavailable.
func (a *Activities) insist(ctx context.Context, patience time.Duration, question func(context.Context) error) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(a.d.Look)
	defer look.Stop()
	for {
		err := a.ask(ctx, question)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-look.C:
		case <-deadline.C:
			return fmt.Errorf("%w: %w", content.ErrUnavailable, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// reach asks the store on behalf of a call. For the first attempt an absent store
// is no reason to wait: nobody has asked the model yet, so no answer could be
// bought twice. It then says so once and the call goes on without the store.
func (c *call) reach(ctx context.Context, question func(context.Context) error) error {
	if c.storeDown {
		return nil
	}
	if !c.first {
		return c.a.insist(ctx, c.a.d.Patience, question)
	}
	err := c.a.ask(ctx, question)
	if err != nil && ctx.Err() == nil {
		c.storeDown = true
		c.a.d.Log.Warn("the call is made although the store cannot be reached",
			"run_id", c.in.RunID, "task", c.in.TaskID, "provider", c.in.Provider, "model", c.in.Model, "error", err)
		return nil
	}
	return err
}

// recordCarried gives the store what earlier attempts of this activity could not
// give it.
func (c *call) recordCarried(ctx context.Context) error {
	carried := c.pulse.load()
	if len(carried) == 0 {
		return nil
	}
	if err := kept.Record(ctx, c.a.d.Store, c.unrecorded(carried)); err != nil {
		return err
	}
	c.pulse.carry(ctx, nil)
	return nil
}

func (c *call) unrecorded(attempts []history.Attempt) history.Unrecorded {
	return history.Unrecorded{
		TenantID: c.key.Tenant, RunID: c.key.RunID, TaskID: c.key.TaskID, Call: c.key.Call,
		Provider: c.in.Provider, Model: c.in.Model, Price: c.in.Price, Attempts: attempts,
	}
}

// travel lets this attempt travel as it now stands, beside those before it.
func (c *call) travel(ctx context.Context) {
	var others []history.Attempt
	for _, carried := range c.pulse.load() {
		if carried.Source != c.own.Source {
			others = append(others, carried)
		}
	}
	c.pulse.carry(ctx, append(others, kept.Travelling(c.own)))
}

// lacking lists what the store does not have. What an earlier attempt began and
// never closed is closed here, as lost.
func (c *call) lacking() []history.Attempt {
	list := c.pulse.load()
	for i := range list {
		if list[i].State == string(ledger.Started) {
			lost := kept.Lost(c.a.d.Now())
			list[i].State, list[i].FinishedAt, list[i].Usage = string(lost.State), lost.FinishedAt, lost.Usage
		}
	}
	return list
}
