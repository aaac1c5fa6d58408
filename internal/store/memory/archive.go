package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// SaveHistory implements ledger.Archive.
func (s *Store) SaveHistory(ctx context.Context, h ledger.History) error {
	return s.locked(ctx, func() {
		list := s.histories[h.HistoryKey]
		if slices.ContainsFunc(list, func(k ledger.History) bool { return k.TemporalRunID == h.TemporalRunID }) {
			return
		}
		h.Body, h.ClosedAt = bytes.Clone(h.Body), store.Micro(h.ClosedAt)
		s.histories[h.HistoryKey] = append(list, h)
	})
}

// LoadHistory implements ledger.Archive.
func (s *Store) LoadHistory(ctx context.Context, tenant, runID string) (last ledger.History, err error) {
	var list []ledger.History
	err = s.locked(ctx, func() { list = s.histories[ledger.HistoryKey{Tenant: tenant, RunID: runID}] })
	if err == nil && len(list) == 0 {
		return last, fmt.Errorf("run %s: %w", runID, ledger.ErrNoHistory)
	}
	for _, h := range list {
		if !h.ClosedAt.Before(last.ClosedAt) {
			last = h
		}
	}
	last.Body = bytes.Clone(last.Body)
	return last, err
}

// ListHistories implements ledger.Archive.
func (s *Store) ListHistories(ctx context.Context, after ledger.HistoryKey, limit int) (list []ledger.HistoryKey, err error) {
	err = s.locked(ctx, func() {
		for _, key := range slices.SortedFunc(maps.Keys(s.histories), compareKeys) {
			if compareKeys(key, after) > 0 && len(list) < store.SweepLimit(limit) {
				list = append(list, key)
			}
		}
	})
	return list, err
}

func compareKeys(a, b ledger.HistoryKey) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.RunID, b.RunID))
}

// RecordSpecialist implements ledger.Specialists.
func (s *Store) RecordSpecialist(ctx context.Context, row ledger.SpecialistRow) (err error) {
	locked := s.locked(ctx, func() {
		key := specialistKey{row.Tenant, row.Name, row.Version}
		stored, found := s.specialists[key]
		switch {
		case !found:
			row.Definition = bytes.Clone(row.Definition)
			s.specialists[key] = row
		case stored.ID != row.ID || !bytes.Equal(stored.Definition, row.Definition):
			err = fmt.Errorf("%s %s: %w", row.Name, row.Version, ledger.ErrSpecialistChanged)
		}
	})
	return cmp.Or(locked, err)
}
