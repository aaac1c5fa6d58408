package projector

import (
	"context"
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
	// CountClosedBetween says how many runs ClosedBetween would list.
	CountClosedBetween(ctx context.Context, from, until time.Time) (int, error)
	ClosedBetween(ctx context.Context, from, until time.Time, visit func([]runs.Listed) error) error
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

// Project folds one run now and saves it.
func (p *Projector) Project(ctx context.Context, runID string) error {
	whole, err := p.source.Whole(ctx, runID)
	if err != nil {
		return err
	}
	return p.save(ctx, whole, false)
}

func (p *Projector) save(ctx context.Context, whole runs.Whole, rebuild bool) error {
	projection, err := p.projection(ctx, whole, rebuild)
	if err != nil || projection == nil {
		return err
	}
	if err := p.keep(ctx, []store.Projection{*projection}); err != nil {
		return fmt.Errorf("save %s: %w", whole.RunID, err)
	}
	return nil
}

// projection folds a history and records what is kept beside the mirror. It is nil
// for what is nobody's run so far: started by hand and not planned yet.
func (p *Projector) projection(ctx context.Context, whole runs.Whole, rebuild bool) (*store.Projection, error) {
	folded, failed := p.source.Fold(whole)
	r := &folded.Record
	if r.TenantID == "" {
		return nil, failed
	}
	closed, err := p.closed(r.TenantID, whole)
	if err != nil {
		return nil, fmt.Errorf("archive %s: %w", whole.RunID, err)
	}
	if failed != nil {
		// The history is archived all the same: a later version may be able to fold it.
		if closed != nil {
			if err := p.mirror.SaveHistory(ctx, *closed); err != nil {
				return nil, fmt.Errorf("archive %s: %w", whole.RunID, err)
			}
		}
		return nil, failed
	}
	if err := p.recordCalls(ctx, folded.Unrecorded); err != nil {
		return nil, fmt.Errorf("calls of %s: %w", whole.RunID, err)
	}
	if r.FinishedAt != nil {
		if err := p.recordSpecialists(ctx, r.TenantID, folded.Events); err != nil {
			return nil, fmt.Errorf("specialists of %s: %w", whole.RunID, err)
		}
	}
	return &store.Projection{History: closed, Snapshot: store.Snapshot{
		Record: *r, Events: folded.Events, Builder: history.Builder, Current: true, Rebuild: rebuild,
	}}, nil
}

// keep saves projections and remembers which of the runs have ended.
func (p *Projector) keep(ctx context.Context, list []store.Projection) error {
	if err := p.mirror.SaveAll(ctx, list); err != nil {
		return err
	}
	for _, projection := range list {
		if r := &projection.Snapshot.Record; r.FinishedAt != nil {
			p.ended.add(r.TemporalRunID, *r.FinishedAt)
		}
	}
	return nil
}

// closed is the history of a run that has closed, as it is archived; nil for one
// that goes on or comes from the archive.
func (p *Projector) closed(tenant string, whole runs.Whole) (*ledger.History, error) {
	if whole.Archived || !history.HasClosed(whole.Events) {
		return nil, nil
	}
	packed, err := p.packer.Pack(whole.Events)
	if err != nil {
		return nil, err
	}
	last := whole.Events[len(whole.Events)-1]
	return &ledger.History{
		HistoryKey:    ledger.HistoryKey{Tenant: tenant, RunID: whole.RunID},
		TemporalRunID: whole.TemporalRunID, LastEventID: last.GetEventId(),
		ClosedAt: last.GetEventTime().AsTime(), Codec: history.ArchiveCodec, Body: packed,
	}, nil
}

// recordCalls inserts what calls did while the store was away. It comes before the
// mirror: a run that is saved with its end is not folded again.
func (p *Projector) recordCalls(ctx context.Context, list []history.Unrecorded) error {
	for _, u := range list {
		err := kept.Record(ctx, p.mirror, u)
		if err != nil && stops(ctx, err) {
			return err
		}
		if err != nil {
			// The mirror is shown all the same: a record is worth more than its ledger.
			p.o.Log.Error("a call's attempts were not recorded", "run_id", u.RunID, "task", u.TaskID, "error", err)
		}
	}
	return nil
}
