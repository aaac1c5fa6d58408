package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// SaveRun implements store.Mirror.
func (s *Store) SaveRun(ctx context.Context, snapshot store.Snapshot) (bool, error) {
	saved, err := s.saveTogether(ctx, []store.Projection{{Snapshot: snapshot}})
	return saved > 0, failed(ctx, "save run "+snapshot.Record.RunID, err)
}

// SaveAll implements store.Mirror.
func (s *Store) SaveAll(ctx context.Context, list []store.Projection) error {
	_, err := s.saveTogether(ctx, list)
	return failed(ctx, "save runs", err)
}

// saveTogether says how many snapshots have won. The first round trip opens the
// transaction, takes the runs' locks and reads what is stored; the second writes and
// commits.
func (s *Store) saveTogether(ctx context.Context, list []store.Projection) (saved int, err error) {
	w := newWrites(&s.sql)
	w.histories(list)
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	// A connection that is released inside a transaction is closed by the pool,
	// which rolls back: so every early return here undoes everything.
	defer conn.Release()
	defer txscope.Enter(ctx)()

	stored, err := lockRuns(ctx, conn, list)
	if err != nil {
		return 0, err
	}
	for i := range list {
		snapshot := &list[i].Snapshot
		before := stored[store.OpenOf(*snapshot).Key()]
		if before != nil && !snapshot.Supersedes(before.Version) {
			continue
		}
		if err := w.run(snapshot, before); err != nil {
			return 0, err
		}
		saved++
	}
	return saved, w.commit(ctx, conn)
}

// keysOf are the keys of runs as two parameters.
func keysOf(runs []store.Open) (tenants, runIDs []string) {
	for _, o := range runs {
		tenants, runIDs = append(tenants, o.Tenant), append(runIDs, o.RunID)
	}
	return tenants, runIDs
}

// lockRuns begins the transaction and returns what is stored of the runs, by their
// keys. The locks
// are on the keys and not on the rows, so that two first projections of a run queue
// up as well; they are taken in the order of the keys, so that no two wait for each
// other.
func lockRuns(ctx context.Context, conn *pgxpool.Conn, list []store.Projection) (map[string]*store.StoredEvents, error) {
	runs := make([]store.Open, len(list))
	for i := range list {
		runs[i] = store.OpenOf(list[i].Snapshot)
	}
	slices.SortFunc(runs, store.Open.Compare)
	tenants, runIDs := keysOf(runs)
	b := &pgx.Batch{}
	b.Queue(`begin isolation level read committed`)
	b.Queue(`
select pg_advisory_xact_lock(hashtextextended(tenant_id, hashtextextended(run_id, 0)))
from unnest($1::text[], $2::text[]) as k (tenant_id, run_id)`, tenants, runIDs)
	// The limit has the planner look each run up by its key, also when it has planned
	// while the table was empty.
	b.Queue(`
select r.tenant_id, r.run_id, r.temporal_run_id, r.last_event_id, r.builder_version, coalesce(e.seq, 0), e.body
from unnest($1::text[], $2::text[]) as k (tenant_id, run_id)
cross join lateral (
  select tenant_id, run_id, temporal_run_id, last_event_id, builder_version from tutti.runs
  where tenant_id = k.tenant_id and run_id = k.run_id
  limit 1
) r
left join lateral (
  select seq, body from tutti.run_events
  where tenant_id = r.tenant_id and run_id = r.run_id
  order by seq desc limit 1
) e on true`, tenants, runIDs)

	stored := make(map[string]*store.StoredEvents)
	err := read(conn.SendBatch(ctx, b), func(results pgx.BatchResults) error {
		for range 2 {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		rows, err := results.Query()
		if err != nil {
			return err
		}
		var key store.Open
		var found store.StoredEvents
		v := &found.Version
		_, err = pgx.ForEachRow(rows, []any{
			&key.Tenant, &key.RunID, &v.TemporalRunID, &v.LastEventID, &v.Builder, &found.Count, &found.Last,
		}, func() error {
			row := found
			stored[key.Key()] = &row
			found.Last = nil
			return nil
		})
		return err
	})
	return stored, err
}
