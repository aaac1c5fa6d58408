package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// LoadRun implements store.Mirror. Record and events come from one statement,
// so they are of one projection, whoever is saving at the time.
func (s *Store) LoadRun(ctx context.Context, tenant, runID string) (store.Snapshot, error) {
	defer txscope.Enter(ctx)()
	rows, err := s.pool.Query(ctx, `
select 0, builder_version, record from tutti.runs where tenant_id = $1 and run_id = $2
union all
select seq, 0, body from tutti.run_events where tenant_id = $1 and run_id = $2
order by 1`, tenant, runID)
	if err != nil {
		return store.Snapshot{}, failed(ctx, "load run "+runID, err)
	}
	var seq, builder, version int
	var body, record []byte
	var events [][]byte
	_, err = pgx.ForEachRow(rows, []any{&seq, &version, &body}, func() error {
		if seq == 0 {
			record, builder = body, version
		} else {
			events = append(events, body)
		}
		body = nil // the next row gets memory of its own
		return nil
	})
	if err != nil {
		return store.Snapshot{}, failed(ctx, "load run "+runID, err)
	}
	if record == nil {
		return store.Snapshot{}, fmt.Errorf("run %s: %w", runID, store.ErrNotFound)
	}
	return store.Decode(builder, record, events)
}
