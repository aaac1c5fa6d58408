package projector

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// item is a run of a batch: its projection, or why there is none.
type item struct {
	runID      string
	projection *store.Projection
	err        error
}

// perReader is how many runs one goroutine reads and folds before it pays to have
// another.
const perReader = 4

// projectAll projects runs, some at a time, and saves them together. Each stands in
// the list once. The error is the store's or Temporal's; what is wrong with one run
// is that run's alone.
func (p *Projector) projectAll(ctx context.Context, runIDs []string) error {
	items := make([]item, len(runIDs))
	readers := min(p.o.Parallel, (len(items)+perReader-1)/perReader)
	read := func(reader int) {
		for i := reader; i < len(items); i += readers {
			items[i] = p.item(ctx, runIDs[i])
		}
	}
	var group sync.WaitGroup
	for reader := 1; reader < readers; reader++ {
		group.Go(func() { read(reader) })
	}
	read(0)
	group.Wait()
	p.keepItems(ctx, items)
	var failures []error
	for _, it := range items {
		failures = append(failures, p.settle(ctx, it.runID, it.err))
	}
	return errors.Join(failures...)
}

func (p *Projector) item(ctx context.Context, runID string) item {
	whole, err := p.source.Whole(ctx, runID)
	if err != nil {
		return item{runID: runID, err: err}
	}
	projection, err := p.projection(ctx, whole, false)
	return item{runID, projection, err}
}

// keepItems saves what there is to save. When the store refuses the lot, each is
// saved alone, so that what is wrong with one stops no other.
func (p *Projector) keepItems(ctx context.Context, items []item) {
	var list []store.Projection
	for _, it := range items {
		if it.projection != nil {
			list = append(list, *it.projection)
		}
	}
	if len(list) == 0 {
		return
	}
	err := p.keep(ctx, list)
	if err == nil {
		return
	}
	alone := len(list) > 1 && !stops(ctx, err)
	for i := range items {
		it := &items[i]
		if it.projection == nil {
			continue
		}
		if it.err = err; alone {
			it.err = p.keep(ctx, []store.Projection{*it.projection})
		}
		if it.err != nil {
			it.err = fmt.Errorf("save %s: %w", it.runID, it.err)
		}
	}
}

// settle decides what a run's failure means: try again later, or this run only.
func (p *Projector) settle(ctx context.Context, runID string, err error) error {
	switch {
	case err == nil, errors.Is(err, runs.ErrNotFound):
		p.dirty.done(runID)
		return nil
	case stops(ctx, err):
		p.dirty.Mark(runID)
		p.o.Log.Debug("projection waits", "run_id", runID, "error", err)
		return err
	default:
		p.dirty.done(runID)
		p.o.Log.Error("projection failed", "run_id", runID, "error", err)
		return nil
	}
}
