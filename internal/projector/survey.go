package projector

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// Everything is where all runs are known: Temporal, the archive and the mirror.
type Everything interface {
	Source
	AllRuns(ctx context.Context, visit func([]runs.Listed) error) error
	// Archived reads a history from the archive; the error is runs.ErrNotFound
	// when that has none.
	Archived(ctx context.Context, tenant, runID string) (runs.Whole, error)
}

// Survey looks at every run, wherever it is known, for verify, rebuild and prune.
// It holds the IDs of all runs and one history at a time.
type Survey struct {
	source    Everything
	mirror    Mirror
	projector *Projector
}

// NewSurvey returns a survey of these.
func NewSurvey(source Everything, mirror Mirror, o Options) *Survey {
	return &Survey{source: source, mirror: mirror, projector: New(source, mirror, NewDirty(), o)}
}

// known is one run and where it was found.
type known struct {
	runID string
	// tenant is known from the archive or the mirror only.
	tenant string
	// movedAt is when Temporal says that it started or closed last.
	movedAt  time.Time
	open     bool
	inMirror bool
}

// all lists every run once.
func (s *Survey) all(ctx context.Context) ([]*known, error) {
	var list []*known
	byID := make(map[string]*known)
	find := func(runID string) *known {
		k, there := byID[runID]
		if !there {
			k = &known{runID: runID}
			byID[runID] = k
			list = append(list, k)
		}
		return k
	}
	err := s.source.AllRuns(ctx, func(page []runs.Listed) error {
		for _, l := range page {
			k := find(l.RunID)
			at := l.StartedAt
			if !l.ClosedAt.IsZero() {
				at = l.ClosedAt
			}
			k.open = k.open || l.ClosedAt.IsZero()
			if at.After(k.movedAt) {
				k.movedAt = at
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.archive(ctx, func(key ledger.HistoryKey) { find(key.RunID).tenant = key.Tenant }); err != nil {
		return nil, err
	}
	err = s.rows(ctx, func(o store.Open) {
		k := find(o.RunID)
		k.tenant, k.inMirror = o.Tenant, true
	})
	return list, err
}

func (s *Survey) archive(ctx context.Context, visit func(ledger.HistoryKey)) error {
	var after ledger.HistoryKey
	for {
		page, err := s.mirror.ListHistories(ctx, after, store.MaxLimit)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, key := range page {
			visit(key)
		}
		after = page[len(page)-1]
	}
}

// anyBuilder is above every builder, so that OutdatedRuns lists all rows.
const anyBuilder = 1 << 30

func (s *Survey) rows(ctx context.Context, visit func(store.Open)) error {
	var after store.Open
	for {
		page, err := s.mirror.OutdatedRuns(ctx, anyBuilder, store.MaxLimit, after)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, o := range page {
			visit(o)
		}
		after = page[len(page)-1]
	}
}

// whole reads a run's history from Temporal, else from the archive.
func (s *Survey) whole(ctx context.Context, k *known) (runs.Whole, error) {
	w, err := s.source.Whole(ctx, k.runID)
	if errors.Is(err, runs.ErrNotFound) && k.tenant != "" {
		return s.source.Archived(ctx, k.tenant, k.runID)
	}
	return w, err
}

// stops says that an error is not of one run: going on would fail for all.
func stops(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrSchema) ||
		errors.Is(err, runs.ErrUnreachable)
}
