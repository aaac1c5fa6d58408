package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// row is a projected run. It keeps bytes, as the other adapters do, so that no
// caller shares memory with it.
type row struct {
	version  store.Version
	open     store.Open
	terminal bool
	encoded  store.Encoded
}

// SaveRun implements store.Mirror.
func (s *Store) SaveRun(ctx context.Context, snapshot store.Snapshot) (saved bool, err error) {
	encoded, err := store.Encode(snapshot)
	if err != nil {
		return false, err
	}
	r := &snapshot.Record
	err = s.locked(ctx, func() {
		key := runKey{r.TenantID, r.RunID}
		stored, found := s.runs[key]
		if saved = !found || snapshot.Supersedes(stored.version); saved {
			s.runs[key] = row{snapshot.Version(), store.OpenOf(snapshot), r.Status.IsTerminal(), encoded}
		}
	})
	return saved, err
}

// SaveAll implements store.Mirror.
func (s *Store) SaveAll(ctx context.Context, list []store.Projection) error {
	return store.OneByOne(ctx, s, list)
}

// LoadRun implements store.Mirror.
func (s *Store) LoadRun(ctx context.Context, tenant, runID string) (store.Snapshot, error) {
	var stored row
	var found bool
	err := s.locked(ctx, func() { stored, found = s.runs[runKey{tenant, runID}] })
	if err != nil {
		return store.Snapshot{}, err
	}
	if !found {
		return store.Snapshot{}, fmt.Errorf("run %s: %w", runID, store.ErrNotFound)
	}
	return store.Decode(stored.version.Builder, stored.encoded.Record, stored.encoded.Events)
}

// ListRuns implements store.Mirror by looking at every run of the tenant.
func (s *Store) ListRuns(ctx context.Context, q store.Query) (store.Page, error) {
	rows, err := s.rows(ctx, func(r *row) bool { return r.open.Tenant == q.Tenant })
	if err != nil {
		return store.Page{}, err
	}
	return q.Scan(func(yield func(run.Record, error) bool) {
		for _, stored := range rows {
			if !yield(store.DecodeListing(stored.encoded.Listing)) {
				return
			}
		}
	})
}

// OpenRuns implements store.Sweeps.
func (s *Store) OpenRuns(ctx context.Context, limit int, after string) ([]store.Open, error) {
	var place store.Open
	place.Tenant, place.RunID = store.ParseKey(after)
	rows, err := s.rows(ctx, func(r *row) bool { return !r.terminal && r.open.Compare(place) > 0 })
	slices.SortFunc(rows, func(a, b row) int { return a.open.Compare(b.open) })
	return firstOf(rows, limit), err
}

// OutdatedRuns implements store.Sweeps, the oldest builder's first.
func (s *Store) OutdatedRuns(ctx context.Context, builder, limit int, after store.Open) ([]store.Open, error) {
	rows, err := s.rows(ctx, func(r *row) bool {
		return r.version.Builder < builder && r.open.CompareOutdated(after) > 0
	})
	slices.SortFunc(rows, func(a, b row) int { return a.open.CompareOutdated(b.open) })
	return firstOf(rows, limit), err
}

// EndedRuns implements store.Sweeps.
func (s *Store) EndedRuns(ctx context.Context, builder int, asked []store.Open) (list []store.Open, err error) {
	err = s.locked(ctx, func() {
		for _, o := range asked {
			if stored := s.runs[runKey{o.Tenant, o.RunID}]; stored.terminal && stored.open.IsOf(o, builder) {
				list = append(list, stored.open)
			}
		}
	})
	return list, err
}

// rows returns the runs that are wanted, in no order.
func (s *Store) rows(ctx context.Context, wanted func(*row) bool) (rows []row, err error) {
	err = s.locked(ctx, func() {
		for _, stored := range s.runs {
			if wanted(&stored) {
				rows = append(rows, stored)
			}
		}
	})
	return rows, err
}

func firstOf(rows []row, limit int) (list []store.Open) {
	for _, r := range rows[:min(len(rows), store.SweepLimit(limit))] {
		list = append(list, r.open)
	}
	return list
}

// Watermark implements store.Sweeps.
func (s *Store) Watermark(ctx context.Context) (at time.Time, err error) {
	err = s.locked(ctx, func() { at = s.watermark })
	return at, err
}

// SetWatermark implements store.Sweeps.
func (s *Store) SetWatermark(ctx context.Context, at time.Time) error {
	return s.locked(ctx, func() {
		if at = store.Micro(at); at.After(s.watermark) {
			s.watermark = at
		}
	})
}
