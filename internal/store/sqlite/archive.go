package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// SaveHistory implements ledger.Archive.
func (s *Store) SaveHistory(ctx context.Context, h ledger.History) error {
	return s.transact(ctx, "archive a history", func(tx *sql.Tx) error { return insertHistory(ctx, tx, h) })
}

func insertHistory(ctx context.Context, tx *sql.Tx, h ledger.History) error {
	_, err := tx.ExecContext(ctx, `
insert into run_history (tenant_id, run_id, temporal_run_id, last_event_id, closed_at, codec, history)
values (?, ?, ?, ?, ?, ?, ?)
on conflict do nothing`, h.Tenant, h.RunID, h.TemporalRunID, h.LastEventID, timeText(h.ClosedAt), h.Codec, h.Body)
	return err
}

// LoadHistory implements ledger.Archive.
func (s *Store) LoadHistory(ctx context.Context, tenant, runID string) (ledger.History, error) {
	h := ledger.History{HistoryKey: ledger.HistoryKey{Tenant: tenant, RunID: runID}}
	var closed string
	err := s.db.QueryRowContext(ctx, `
select temporal_run_id, last_event_id, closed_at, codec, history from run_history
where tenant_id = ? and run_id = ? order by closed_at desc, archived_at desc limit 1`, tenant, runID).
		Scan(&h.TemporalRunID, &h.LastEventID, &closed, &h.Codec, &h.Body)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.History{}, fmt.Errorf("run %s: %w", runID, ledger.ErrNoHistory)
	}
	if err == nil {
		h.ClosedAt, err = parseTime(closed)
	}
	if err != nil {
		return ledger.History{}, failed(ctx, "load a history", err)
	}
	return h, nil
}

// ListHistories implements ledger.Archive.
func (s *Store) ListHistories(ctx context.Context, after ledger.HistoryKey, limit int) (list []ledger.HistoryKey, err error) {
	err = s.each(ctx, "list histories", func(scan func(...any) error) error {
		var key ledger.HistoryKey
		err := scan(&key.Tenant, &key.RunID)
		list = append(list, key)
		return err
	}, `
select distinct tenant_id, run_id from run_history where (tenant_id, run_id) > (?, ?)
order by tenant_id, run_id limit ?`, after.Tenant, after.RunID, store.SweepLimit(limit))
	return list, err
}

// RecordSpecialist implements ledger.Specialists.
func (s *Store) RecordSpecialist(ctx context.Context, row ledger.SpecialistRow) error {
	var stored ledger.SpecialistRow
	err := s.transact(ctx, "record a specialist", func(tx *sql.Tx) error {
		definition := row.Definition
		if definition == nil {
			definition = []byte{}
		}
		_, err := tx.ExecContext(ctx, `
insert into specialists (tenant_id, name, version, id, definition) values (?, ?, ?, ?, ?)
on conflict do nothing`, row.Tenant, row.Name, row.Version, row.ID, definition)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `
select id, definition from specialists where tenant_id = ? and name = ? and version = ?`,
			row.Tenant, row.Name, row.Version).Scan(&stored.ID, &stored.Definition)
	})
	if err == nil && (stored.ID != row.ID || !bytes.Equal(stored.Definition, row.Definition)) {
		return fmt.Errorf("%s %s: %w", row.Name, row.Version, ledger.ErrSpecialistChanged)
	}
	return err
}
