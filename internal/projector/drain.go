package projector

import (
	"context"
	"time"
)

const (
	// together is how many runs are projected in one batch, which the store saves in
	// one transaction.
	together = 16
	// gather is how long runs that are due wait for others to come with them.
	gather = 250 * time.Millisecond
)

// drainLoop projects what is due until the context ends. After a failure, which is
// the store's or Temporal's, it waits longer and longer.
func (p *Projector) drainLoop(ctx context.Context) {
	backoff := time.Duration(0)
	for ctx.Err() == nil {
		if p.dirty.gathers(together) {
			wait(ctx, gather)
		}
		begun := time.Now()
		again, some := p.dirty.ripen(begun, together)
		if p.drain(ctx) != nil {
			backoff = min(max(backoff*2, time.Second), 30*time.Second)
			wait(ctx, backoff)
			continue
		}
		backoff = 0
		if ripened := some && again == 0; ripened {
			now := time.Now()
			p.dirty.rest(now, now.Sub(begun))
			continue
		}
		p.awaitDirty(ctx, again, some)
	}
}

// awaitDirty returns when a run may be due: when one is marked, or after the time.
func (p *Projector) awaitDirty(ctx context.Context, again time.Duration, some bool) {
	var ripe <-chan time.Time
	if some {
		timer := time.NewTimer(again)
		defer timer.Stop()
		ripe = timer.C
	}
	select {
	case <-ctx.Done():
	case <-p.dirty.wake:
	case <-ripe:
	}
}

// Drain projects what is dirty now, due or not. A run whose store or Temporal could
// not be reached is dirty again afterwards, and the first such error is returned.
func (p *Projector) Drain(ctx context.Context) error {
	p.dirty.ripenAll()
	return p.drain(ctx)
}

// drain projects what is due.
func (p *Projector) drain(ctx context.Context) error {
	for {
		batch := p.dirty.take(together)
		if len(batch) == 0 {
			return nil
		}
		if err := p.projectAll(ctx, batch); err != nil {
			return err
		}
	}
}

// wait returns after the time, or when the context ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
