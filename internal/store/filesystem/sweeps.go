package filesystem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// OpenRuns implements store.Sweeps.
func (s *Store) OpenRuns(ctx context.Context, limit int, after string) ([]store.Open, error) {
	var place store.Open
	place.Tenant, place.RunID = store.ParseKey(after)
	heads, err := s.heads(ctx, func(h *head) bool {
		return !h.Record.Status.IsTerminal() && h.open().Compare(place) > 0
	})
	if err != nil {
		return nil, failed("list open runs", err)
	}
	slices.SortFunc(heads, func(a, b head) int { return a.open().Compare(b.open()) })
	return firstOf(heads, limit), nil
}

// OutdatedRuns implements store.Sweeps, the oldest builder's first.
func (s *Store) OutdatedRuns(ctx context.Context, builder, limit int, after store.Open) ([]store.Open, error) {
	heads, err := s.heads(ctx, func(h *head) bool {
		return h.Builder < builder && h.open().CompareOutdated(after) > 0
	})
	if err != nil {
		return nil, failed("list outdated runs", err)
	}
	slices.SortFunc(heads, func(a, b head) int { return a.open().CompareOutdated(b.open()) })
	return firstOf(heads, limit), nil
}

// EndedRuns implements store.Sweeps.
func (s *Store) EndedRuns(ctx context.Context, builder int, asked []store.Open) ([]store.Open, error) {
	var list []store.Open
	for _, o := range asked {
		if err := ctx.Err(); err != nil {
			return nil, failed("look for ended runs", err)
		}
		var h head
		found, err := readJSON(s.runFile(o.Tenant, o.RunID), &h)
		if err != nil && !errors.Is(err, errDamaged) { // A damaged row is no end: it is projected again.
			return nil, failed("look for ended runs", err)
		}
		if stored := h.open(); found && err == nil && h.Record.Status.IsTerminal() && stored.IsOf(o, builder) {
			list = append(list, stored)
		}
	}
	return list, nil
}

func (h *head) open() store.Open {
	return store.Open{
		Tenant: h.Record.TenantID, RunID: h.Record.RunID,
		TemporalRunID: h.Record.TemporalRunID, LastEventID: h.Record.LastEventID, Builder: h.Builder,
	}
}

func firstOf(heads []head, limit int) []store.Open {
	var list []store.Open
	for i := range heads[:min(len(heads), store.SweepLimit(limit))] {
		list = append(list, heads[i].open())
	}
	return list
}

// heads reads the runs of all tenants and returns those that are wanted.
func (s *Store) heads(ctx context.Context, wanted func(*head) bool) ([]head, error) {
	tenants, err := entries(s.tenantsDir())
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var heads []head
	for _, tenant := range tenants {
		for h, err := range each[head](ctx, filepath.Join(s.tenantsDir(), tenant)) {
			if err != nil {
				return nil, err
			}
			if wanted(&h) {
				heads = append(heads, h)
			}
		}
	}
	return heads, nil
}

type watermark struct {
	At time.Time `json:"watermark"`
}

// Watermark implements store.Sweeps.
func (s *Store) Watermark(ctx context.Context) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, failed("read the watermark", err)
	}
	var stored watermark
	_, err := readJSON(s.watermarkFile(), &stored)
	return stored.At, failed("read the watermark", err)
}

// SetWatermark implements store.Sweeps.
func (s *Store) SetWatermark(ctx context.Context, at time.Time) error {
	err := s.lockedBy(ctx, "watermark", func() error {
		var stored watermark
		if _, err := readJSON(s.watermarkFile(), &stored); err != nil {
			return err
		}
		if !store.Micro(at).After(stored.At) {
			return nil
		}
		raw, err := json.Marshal(watermark{store.Micro(at)})
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return replace(s.watermarkFile(), raw)
	})
	return failed("set the watermark", err)
}
