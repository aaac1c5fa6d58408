package sqlite

import (
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/store"
)

// LoadRun implements store.Mirror. Record and events come from one statement,
// so they are of one projection, whoever is saving at the time.
func (s *Store) LoadRun(ctx context.Context, tenant, runID string) (store.Snapshot, error) {
	var record []byte
	var events [][]byte
	builder := 0
	err := s.each(ctx, "load run "+runID, func(scan func(...any) error) error {
		var seq, version int
		var body []byte
		if err := scan(&seq, &version, &body); err != nil {
			return err
		}
		if seq == 0 {
			record, builder = body, version
		} else {
			events = append(events, body)
		}
		return nil
	}, `
select 0, builder_version, record from runs where tenant_id = ?1 and run_id = ?2
union all
select seq, 0, body from run_events where tenant_id = ?1 and run_id = ?2
order by 1`, tenant, runID)
	if err != nil {
		return store.Snapshot{}, err
	}
	if record == nil {
		return store.Snapshot{}, fmt.Errorf("run %s: %w", runID, store.ErrNotFound)
	}
	return store.Decode(builder, record, events)
}

// each hands every row of a statement to read.
func (s *Store) each(ctx context.Context, what string, read func(func(...any) error) error, query string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return failed(ctx, what, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return failed(ctx, what, err)
		}
	}
	return failed(ctx, what, rows.Err())
}
