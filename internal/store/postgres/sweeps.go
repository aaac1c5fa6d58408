package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// OpenRuns implements store.Sweeps.
func (s *Store) OpenRuns(ctx context.Context, limit int, after string) ([]store.Open, error) {
	tenant, runID := store.ParseKey(after)
	return s.open(ctx, "list open runs", `
select tenant_id, run_id, temporal_run_id, last_event_id, builder_version from tutti.runs
where not is_terminal and (tenant_id, run_id) > ($1, $2)
order by tenant_id, run_id limit $3`, tenant, runID, store.SweepLimit(limit))
}

// OutdatedRuns implements store.Sweeps, the oldest builder's first.
func (s *Store) OutdatedRuns(ctx context.Context, builder, limit int, after store.Open) ([]store.Open, error) {
	return s.open(ctx, "list outdated runs", `
select tenant_id, run_id, temporal_run_id, last_event_id, builder_version from tutti.runs
where builder_version < $1 and (builder_version, tenant_id, run_id) > ($2, $3, $4)
order by builder_version, tenant_id, run_id limit $5`,
		builder, after.Builder, after.Tenant, after.RunID, store.SweepLimit(limit))
}

// EndedRuns implements store.Sweeps.
func (s *Store) EndedRuns(ctx context.Context, builder int, asked []store.Open) ([]store.Open, error) {
	tenants, runIDs := keysOf(asked)
	temporalRunIDs := make([]string, len(asked))
	for i, o := range asked {
		temporalRunIDs[i] = o.TemporalRunID
	}
	return s.open(ctx, "look for ended runs", `
select r.tenant_id, r.run_id, r.temporal_run_id, r.last_event_id, r.builder_version
from unnest($2::text[], $3::text[], $4::text[]) as k (tenant_id, run_id, temporal_run_id)
cross join lateral (
  select * from tutti.runs where tenant_id = k.tenant_id and run_id = k.run_id
  limit 1
) r
where r.temporal_run_id = k.temporal_run_id and r.is_terminal and r.builder_version >= $1`,
		builder, tenants, runIDs, temporalRunIDs)
}

func (s *Store) open(ctx context.Context, what, sql string, args ...any) ([]store.Open, error) {
	defer txscope.Enter(ctx)()
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, failed(ctx, what, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.Open])
	return list, failed(ctx, what, err)
}

// Watermark implements store.Sweeps.
func (s *Store) Watermark(ctx context.Context) (time.Time, error) {
	defer txscope.Enter(ctx)()
	var at time.Time
	err := s.pool.QueryRow(ctx, `select watermark from tutti.sweeper where id = 1`).Scan(&at)
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	return at.UTC(), failed(ctx, "read the watermark", err)
}

// SetWatermark implements store.Sweeps.
func (s *Store) SetWatermark(ctx context.Context, at time.Time) error {
	defer txscope.Enter(ctx)()
	_, err := s.pool.Exec(ctx, `
insert into tutti.sweeper (id, watermark) values (1, $1)
on conflict (id) do update set watermark = excluded.watermark
where sweeper.watermark < excluded.watermark`, store.Micro(at))
	return failed(ctx, "set the watermark", err)
}
