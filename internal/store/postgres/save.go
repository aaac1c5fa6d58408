package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// SaveRun implements store.Mirror. The first round trip opens the transaction,
// takes the run's lock and reads what is stored; the second writes and commits.
func (s *Store) SaveRun(ctx context.Context, snapshot store.Snapshot) (bool, error) {
	encoded, err := store.Encode(snapshot)
	if err != nil {
		return false, err
	}
	saved, err := s.save(ctx, snapshot, encoded)
	return saved, failed(ctx, "save run "+snapshot.Record.RunID, err)
}

func (s *Store) save(ctx context.Context, snapshot store.Snapshot, encoded store.Encoded) (bool, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	// A connection that is released inside a transaction is closed by the pool,
	// which rolls back: so every early return here undoes everything.
	defer conn.Release()
	defer txscope.Enter(ctx)()

	stored, err := lockRun(ctx, conn, snapshot.Record.TenantID, snapshot.Record.RunID)
	if err != nil {
		return false, err
	}
	if stored != nil && !snapshot.Supersedes(stored.Version) {
		_, err := conn.Exec(ctx, "rollback")
		return false, err
	}
	write, err := s.writes(snapshot, encoded, stored)
	if err != nil {
		return false, err
	}
	for _, b := range write {
		if err := conn.SendBatch(ctx, b).Close(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// lockRun begins the transaction and returns what is stored, nil for nothing.
// The lock is on the key and not on the row, so that two first projections of a
// run queue up as well.
func lockRun(ctx context.Context, conn *pgxpool.Conn, tenant, runID string) (*store.StoredEvents, error) {
	b := &pgx.Batch{}
	b.Queue(`begin isolation level read committed`)
	b.Queue(`select pg_advisory_xact_lock(hashtextextended($1, hashtextextended($2, 0)))`, tenant, runID)
	b.Queue(`
select r.temporal_run_id, r.last_event_id, r.builder_version, coalesce(e.seq, 0), e.body
from tutti.runs r
left join lateral (
  select seq, body from tutti.run_events
  where tenant_id = r.tenant_id and run_id = r.run_id
  order by seq desc limit 1
) e on true
where r.tenant_id = $1 and r.run_id = $2`, tenant, runID)

	var stored *store.StoredEvents
	err := read(conn.SendBatch(ctx, b), func(results pgx.BatchResults) (err error) {
		for range 2 {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		stored, err = scanStored(results.QueryRow())
		return err
	})
	return stored, err
}

func scanStored(row pgx.Row) (*store.StoredEvents, error) {
	var stored store.StoredEvents
	v := &stored.Version
	err := row.Scan(&v.TemporalRunID, &v.LastEventID, &v.Builder, &stored.Count, &stored.Last)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &stored, err
}

// maxEvents bounds the events of one round trip, and so what of a long run is in
// memory twice.
const maxEvents = 500

// writes are the statements that replace what is stored, the commit included, in
// round trips of at most maxEvents events.
func (s *Store) writes(snapshot store.Snapshot, encoded store.Encoded, stored *store.StoredEvents) ([]*pgx.Batch, error) {
	r := &snapshot.Record
	b := &pgx.Batch{}
	values, err := columns.Values(s.sql.runs, &columns.Run{Snapshot: &snapshot, Encoded: &encoded}, write)
	if err != nil {
		return nil, err
	}
	b.Queue(s.sql.upsertRun, values...)

	if stored != nil {
		b.Queue(`delete from tutti.tasks where tenant_id = $1 and run_id = $2`, r.TenantID, r.RunID)
	}
	for _, row := range columns.TaskRows(r) {
		values, err := columns.Values(s.sql.tasks, &row, write)
		if err != nil {
			return nil, err
		}
		b.Queue(s.sql.insertTask, values...)
	}

	from := 0
	if stored != nil && !snapshot.Rebuild {
		from = stored.NewFrom(snapshot.Version(), encoded.Events)
	}
	if stored != nil && from == 0 {
		b.Queue(`delete from tutti.run_events where tenant_id = $1 and run_id = $2`, r.TenantID, r.RunID)
	}
	trips := []*pgx.Batch{b}
	for i := from; i < len(encoded.Events); i += maxEvents {
		if i > from {
			b = &pgx.Batch{}
			trips = append(trips, b)
		}
		end := min(i+maxEvents, len(encoded.Events))
		queueEvents(b, r, i, snapshot.Events[i:end], encoded.Events[i:end])
	}
	b.Queue(`commit`)
	return trips, nil
}

// queueEvents inserts events in one statement, which costs both sides much less
// than one for each. from is how many stand before them.
func queueEvents(b *pgx.Batch, r *run.Record, from int, events []run.Stamped, bodies [][]byte) {
	n := len(events)
	ids, times := make([]int64, n), make([]*time.Time, n)
	types, tasks := make([]string, n), make([]string, n)
	for i, event := range events {
		ids[i], types[i], tasks[i] = event.EventID, run.TypeOf(event.Event), clean(event.Event.Task())
		if !event.At.IsZero() {
			at := store.Micro(event.At)
			times[i] = &at
		}
	}
	b.Queue(`
insert into tutti.run_events (tenant_id, run_id, seq, event_id, at, type, task_id, body)
select $1, $2, $3 + e.place, e.event_id, e.at, e.type, nullif(e.task_id, ''), e.body
from unnest($4::bigint[], $5::timestamptz[], $6::text[], $7::text[], $8::bytea[]) with ordinality
  as e (event_id, at, type, task_id, body, place)`,
		r.TenantID, r.RunID, from, ids, times, types, tasks, bodies)
}
