package projector

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// Source is where histories come from.
type Source interface {
	// Whole reads a run's history; the error is runs.ErrNotFound when Temporal has
	// forgotten it.
	Whole(ctx context.Context, runID string) (runs.Whole, error)
	Fold(w runs.Whole) (history.Folded, error)
	ClosedSince(ctx context.Context, since time.Time, visit func([]runs.Listed) error) error
	OpenRuns(ctx context.Context, visit func([]runs.Listed) error) error
}

// Mirror is where the folds go, and what calls could not record themselves.
type Mirror interface {
	store.Mirror
	store.Sweeps
	store.Leases
	ledger.Archive
	ledger.Specialists
	kept.Store
}

// Options tune a Projector; the zero value is for production.
type Options struct {
	// SweepEvery is how often closed runs are looked for. Default 5 s.
	SweepEvery time.Duration
	// OpenEvery is how often each open run is folded at most without a hint. Default 5 min.
	OpenEvery time.Duration
	// Parallel bounds the folds at a time. Default 4.
	Parallel int
	// Name tells this process from the others that could sweep. Default is random.
	Name string
	Log  *slog.Logger
}

// Projector folds dirty runs into the mirror, and sweeps.
type Projector struct {
	source Source
	mirror Mirror
	dirty  *Dirty
	ended  *ended
	packer *history.Packer
	known  *versions
	// deepAt is when a sweep last looked far back.
	deepAt time.Time
	o      Options
}

// New returns a projector over the set that the worker's hints fill.
func New(source Source, mirror Mirror, dirty *Dirty, o Options) *Projector {
	if o.SweepEvery == 0 {
		o.SweepEvery = 5 * time.Second
	}
	if o.OpenEvery == 0 {
		o.OpenEvery = 5 * time.Minute
	}
	if o.Parallel == 0 {
		o.Parallel = 4
	}
	if o.Name == "" {
		o.Name = someName()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Projector{source: source, mirror: mirror, dirty: dirty, ended: newEnded(), packer: history.NewPacker(), known: newVersions(), o: o}
}

// Run projects until the context ends.
func (p *Projector) Run(ctx context.Context) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		defer group.Done()
		p.sweepLoop(ctx)
	}()
	p.drainLoop(ctx)
	group.Wait()
}

func (p *Projector) projectAll(ctx context.Context, batch []string) error {
	failures := make([]error, len(batch))
	var group sync.WaitGroup
	for i, runID := range batch {
		group.Add(1)
		go func() {
			defer group.Done()
			failures[i] = p.attempt(ctx, runID)
		}()
	}
	group.Wait()
	return errors.Join(failures...)
}

// attempt projects one run and decides what a failure means: try again later,
// or this run only.
func (p *Projector) attempt(ctx context.Context, runID string) error {
	err := p.Project(ctx, runID)
	switch {
	case err == nil, errors.Is(err, runs.ErrNotFound):
		p.dirty.done(runID)
		return nil
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, runs.ErrUnreachable), errors.Is(err, store.ErrSchema), ctx.Err() != nil:
		p.dirty.Mark(runID)
		p.o.Log.Debug("projection waits", "run_id", runID, "error", err)
		return err
	default:
		p.dirty.done(runID)
		p.o.Log.Error("projection failed", "run_id", runID, "error", err)
		return nil
	}
}

// Project folds one run now and saves it. Of a run that has closed the history is
// archived first, whether it can be folded or not: a later version may be able to.
func (p *Projector) Project(ctx context.Context, runID string) error {
	whole, err := p.source.Whole(ctx, runID)
	if err != nil {
		return err
	}
	return p.save(ctx, whole, false)
}

func (p *Projector) save(ctx context.Context, whole runs.Whole, rebuild bool) error {
	folded, failed := p.source.Fold(whole)
	r := &folded.Record
	if r.TenantID == "" {
		return failed // Started by hand and not planned yet: nobody's run so far.
	}
	if err := p.archive(ctx, r.TenantID, whole); err != nil {
		return fmt.Errorf("archive %s: %w", whole.RunID, err)
	}
	if failed != nil {
		return failed
	}
	if err := p.recordCalls(ctx, folded.Unrecorded); err != nil {
		return fmt.Errorf("calls of %s: %w", whole.RunID, err)
	}
	if r.FinishedAt != nil {
		if err := p.recordSpecialists(ctx, r.TenantID, folded.Events); err != nil {
			return fmt.Errorf("specialists of %s: %w", whole.RunID, err)
		}
	}
	_, err := p.mirror.SaveRun(ctx, store.Snapshot{
		Record: *r, Events: folded.Events, Builder: history.Builder, Current: true, Rebuild: rebuild,
	})
	if err != nil {
		return fmt.Errorf("save %s: %w", whole.RunID, err)
	}
	if at := r.FinishedAt; at != nil {
		p.ended.add(r.TemporalRunID, *at)
	}
	return nil
}

// archive keeps the history of a run that has closed. It comes before the mirror,
// as the calls do: a run that is saved with its end is not read again.
func (p *Projector) archive(ctx context.Context, tenant string, whole runs.Whole) error {
	if whole.Archived || !history.HasClosed(whole.Events) {
		return nil
	}
	packed, err := p.packer.Pack(whole.Events)
	if err != nil {
		return err
	}
	last := whole.Events[len(whole.Events)-1]
	return p.mirror.SaveHistory(ctx, ledger.History{
		HistoryKey:    ledger.HistoryKey{Tenant: tenant, RunID: whole.RunID},
		TemporalRunID: whole.TemporalRunID, LastEventID: last.GetEventId(),
		ClosedAt: last.GetEventTime().AsTime(), Codec: history.ArchiveCodec, Body: packed,
	})
}

// recordCalls inserts what calls did while the store was away. It comes before the
// mirror: a run that is saved with its end is not folded again.
func (p *Projector) recordCalls(ctx context.Context, list []history.Unrecorded) error {
	for _, u := range list {
		err := kept.Record(ctx, p.mirror, u)
		if errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrSchema) || ctx.Err() != nil {
			return err
		}
		if err != nil {
			// The mirror is shown all the same: a record is worth more than its ledger.
			p.o.Log.Error("a call's attempts were not recorded", "run_id", u.RunID, "task", u.TaskID, "error", err)
		}
	}
	return nil
}
