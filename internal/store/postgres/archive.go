package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

const insertHistory = `
insert into tutti_kept.run_history (tenant_id, run_id, temporal_run_id, last_event_id, closed_at, codec, history)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict do nothing`

func historyValues(h *ledger.History) []any {
	return []any{h.Tenant, h.RunID, h.TemporalRunID, h.LastEventID, store.Micro(h.ClosedAt), h.Codec, h.Body}
}

// SaveHistory implements ledger.Archive.
func (s *Store) SaveHistory(ctx context.Context, h ledger.History) error {
	defer txscope.Enter(ctx)()
	_, err := s.pool.Exec(ctx, insertHistory, historyValues(&h)...)
	return failed(ctx, "archive a history", err)
}

// LoadHistory implements ledger.Archive.
func (s *Store) LoadHistory(ctx context.Context, tenant, runID string) (ledger.History, error) {
	defer txscope.Enter(ctx)()
	h := ledger.History{HistoryKey: ledger.HistoryKey{Tenant: tenant, RunID: runID}}
	err := s.pool.QueryRow(ctx, `
select temporal_run_id, last_event_id, closed_at, codec, history from tutti_kept.run_history
where tenant_id = $1 and run_id = $2 order by closed_at desc, archived_at desc limit 1`, tenant, runID).
		Scan(&h.TemporalRunID, &h.LastEventID, &h.ClosedAt, &h.Codec, &h.Body)
	if errors.Is(err, pgx.ErrNoRows) {
		return ledger.History{}, fmt.Errorf("run %s: %w", runID, ledger.ErrNoHistory)
	}
	if err != nil {
		return ledger.History{}, failed(ctx, "load a history", err)
	}
	h.ClosedAt = h.ClosedAt.UTC()
	return h, nil
}

// ListHistories implements ledger.Archive.
func (s *Store) ListHistories(ctx context.Context, after ledger.HistoryKey, limit int) ([]ledger.HistoryKey, error) {
	defer txscope.Enter(ctx)()
	rows, err := s.pool.Query(ctx, `
select distinct tenant_id, run_id from tutti_kept.run_history where (tenant_id, run_id) > ($1, $2)
order by tenant_id, run_id limit $3`, after.Tenant, after.RunID, store.SweepLimit(limit))
	if err != nil {
		return nil, failed(ctx, "list histories", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[ledger.HistoryKey])
	return list, failed(ctx, "list histories", err)
}

// RecordSpecialist implements ledger.Specialists.
func (s *Store) RecordSpecialist(ctx context.Context, row ledger.SpecialistRow) error {
	defer txscope.Enter(ctx)()
	definition := row.Definition
	if definition == nil {
		definition = []byte{}
	}
	// What is there already, which is nearly always, takes one round trip. The insert
	// is not seen by its own statement, so after one the row is read.
	const stands = `select id, definition from tutti_kept.specialists where tenant_id = $1 and name = $2 and version = $3`
	var stored ledger.SpecialistRow
	err := s.pool.QueryRow(ctx, `
with put as (
  insert into tutti_kept.specialists (tenant_id, name, version, id, definition) values ($1, $2, $3, $4, $5)
  on conflict do nothing
) `+stands, row.Tenant, row.Name, row.Version, row.ID, definition).Scan(&stored.ID, &stored.Definition)
	if errors.Is(err, pgx.ErrNoRows) {
		err = s.pool.QueryRow(ctx, stands, row.Tenant, row.Name, row.Version).Scan(&stored.ID, &stored.Definition)
	}
	if err == nil && (stored.ID != row.ID || !bytes.Equal(stored.Definition, row.Definition)) {
		return fmt.Errorf("%s %s: %w", row.Name, row.Version, ledger.ErrSpecialistChanged)
	}
	return failed(ctx, "record a specialist", err)
}
