package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// OpenRuns implements store.Sweeps.
func (s *Store) OpenRuns(ctx context.Context, limit int, after string) ([]store.Open, error) {
	tenant, runID := store.ParseKey(after)
	return s.open(ctx, "list open runs", `
select tenant_id, run_id, temporal_run_id, last_event_id, builder_version from runs
where not is_terminal and (tenant_id, run_id) > (?, ?)
order by tenant_id, run_id limit ?`, tenant, runID, store.SweepLimit(limit))
}

// OutdatedRuns implements store.Sweeps, the oldest builder's first.
func (s *Store) OutdatedRuns(ctx context.Context, builder, limit int, after store.Open) ([]store.Open, error) {
	return s.open(ctx, "list outdated runs", `
select tenant_id, run_id, temporal_run_id, last_event_id, builder_version from runs
where builder_version < ? and (builder_version, tenant_id, run_id) > (?, ?, ?)
order by builder_version, tenant_id, run_id limit ?`,
		builder, after.Builder, after.Tenant, after.RunID, store.SweepLimit(limit))
}

// EndedRuns implements store.Sweeps.
func (s *Store) EndedRuns(ctx context.Context, builder int, asked []store.Open) ([]store.Open, error) {
	keys, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("sqlite: encode the keys of runs: %w", err)
	}
	return s.open(ctx, "look for ended runs", `
select r.tenant_id, r.run_id, r.temporal_run_id, r.last_event_id, r.builder_version
from json_each(?) k join runs r on r.tenant_id = k.value ->> 'Tenant' and r.run_id = k.value ->> 'RunID'
where r.temporal_run_id = k.value ->> 'TemporalRunID' and r.is_terminal and r.builder_version >= ?`,
		string(keys), builder)
}

func (s *Store) open(ctx context.Context, what, query string, args ...any) (list []store.Open, err error) {
	err = s.each(ctx, what, func(scan func(...any) error) error {
		var o store.Open
		err := scan(&o.Tenant, &o.RunID, &o.TemporalRunID, &o.LastEventID, &o.Builder)
		list = append(list, o)
		return err
	}, query, args...)
	return list, err
}

// Watermark implements store.Sweeps.
func (s *Store) Watermark(ctx context.Context) (time.Time, error) {
	var text string
	err := s.db.QueryRowContext(ctx, `select watermark from sweeper where id = 1`).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, failed(ctx, "read the watermark", err)
	}
	return parseTime(text)
}

// SetWatermark implements store.Sweeps.
func (s *Store) SetWatermark(ctx context.Context, at time.Time) error {
	return s.transact(ctx, "set the watermark", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
insert into sweeper (id, watermark) values (1, ?)
on conflict (id) do update set watermark = max(watermark, excluded.watermark)`, timeText(at))
		return err
	})
}
