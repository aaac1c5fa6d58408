package projector

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// A sweep looks behind its watermark, because visibility may list a run a little
// after it closed: each a little, and the first and then one a minute far. What
// closed is listed with each of them, so looking far every time would cost a busy
// worker more than the runs that it finds.
const (
	overlap     = 10 * time.Second
	deepOverlap = 2 * time.Minute
	deepEvery   = time.Minute
	// settling is how long a hint has to bring a run's end before a sweep looks for it.
	settling = 2 * time.Second
)

// outdatedBatch is how many rows of an older fold are listed at a time.
const outdatedBatch = 100

func (p *Projector) sweepLoop(ctx context.Context) {
	var openAt time.Time
	tick := time.NewTicker(p.o.SweepEvery)
	defer tick.Stop()
	defer p.resign(ctx)
	for {
		now := time.Now()
		withOpen := openAt.IsZero() || now.Sub(openAt) >= p.o.OpenEvery
		err := p.lead(ctx)
		if err == nil {
			err = p.Sweep(ctx, now, withOpen)
		}
		switch {
		case errors.Is(err, errNotSweeper):
			openAt = time.Time{} // Whoever takes over begins with the open runs.
		case err != nil:
			p.o.Log.Debug("sweep waits", "error", err)
		case withOpen:
			openAt = now
		}
		p.o.Log.Debug("mirror", "dirty", p.dirty.Len(), "lag_seconds", p.dirty.Lag(now).Seconds())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Sweep finds what hints have missed: the runs closed since the watermark and, if
// asked, every open run and the rows of an older fold. It returns when all of them
// are projected; only then does the watermark move.
func (p *Projector) Sweep(ctx context.Context, now time.Time, withOpen bool) error {
	from, err := p.mirror.Watermark(ctx)
	if err != nil {
		return err
	}
	deep, until := now.Sub(p.deepAt) >= deepEvery, now.Add(-settling)
	switch {
	case from.IsZero(): // The first of all takes everything there is.
		until = now
	case deep:
		from = from.Add(-deepOverlap)
	default:
		from = from.Add(-overlap)
	}
	project := func(page []runs.Listed) error {
		if err := p.lead(ctx); err != nil {
			return err
		}
		ids, err := p.unknown(ctx, page)
		if err != nil {
			return err
		}
		return p.projectInTurn(ctx, ids)
	}
	if err := p.sweepClosed(ctx, from, until, project); err != nil {
		return err
	}
	if withOpen {
		if err := p.source.OpenRuns(ctx, project); err != nil {
			return err
		}
		if err := p.sweepOutdated(ctx); err != nil {
			return err
		}
	}
	if deep {
		p.deepAt = now
	}
	p.ended.forget(now.Add(-2 * deepOverlap))
	return p.mirror.SetWatermark(ctx, now)
}

// sweepClosed lists what closed between the times, unless Temporal counts as many
// runs as this projector has seen end: then no hint was missed, which is nearly always
// so where one worker does all the work, and a list of them all would cost it more
// than the count.
func (p *Projector) sweepClosed(ctx context.Context, from, until time.Time, project func([]runs.Listed) error) error {
	closed, err := p.source.CountClosedBetween(ctx, from, until)
	if err != nil || closed == p.ended.between(from, until) {
		return err
	}
	return p.source.ClosedBetween(ctx, from, until, project)
}

// unknown returns the runs of a page of whose end neither this projector nor the
// mirror knows: what ended on another worker, that one has projected.
func (p *Projector) unknown(ctx context.Context, page []runs.Listed) (ids []string, err error) {
	closed := make(map[string]time.Time)
	var asked []store.Open
	for _, l := range page {
		if !l.ClosedAt.IsZero() && !p.ended.has(l.TemporalRunID) {
			closed[l.TemporalRunID] = l.ClosedAt
			asked = append(asked, store.Open{Tenant: l.Tenant, RunID: l.RunID, TemporalRunID: l.TemporalRunID})
		}
	}
	if len(asked) > 0 {
		known, err := p.mirror.EndedRuns(ctx, history.Builder, asked)
		if err != nil {
			return nil, err
		}
		for _, o := range known {
			p.ended.add(o.TemporalRunID, closed[o.TemporalRunID])
		}
	}
	for _, l := range page {
		if !p.ended.has(l.TemporalRunID) {
			ids = append(ids, l.RunID)
		}
	}
	return ids, nil
}

// sweepOutdated goes once over all rows of an older fold. Those that cannot be
// folded stay as they are and hold up no other.
func (p *Projector) sweepOutdated(ctx context.Context) error {
	var after store.Open
	for {
		if err := p.lead(ctx); err != nil {
			return err
		}
		rows, err := p.mirror.OutdatedRuns(ctx, history.Builder, outdatedBatch, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, len(rows))
		for i, row := range rows {
			ids[i] = row.RunID
		}
		if err := p.projectInTurn(ctx, ids); err != nil {
			return err
		}
		after = rows[len(rows)-1]
	}
}

func (p *Projector) projectInTurn(ctx context.Context, ids []string) error {
	// Visibility lists a run twice that was reset: the current one is read each time.
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for len(ids) > 0 {
		n := min(together, len(ids))
		if err := p.projectAll(ctx, ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}
