package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// maxEvents bounds the events of one round trip, and so what of a long run is in
// memory twice.
const maxEvents = 500

// writes are the statements of one transaction, in round trips of at most about
// maxEvents events.
type writes struct {
	sql    *statements
	trips  []*pgx.Batch
	events int // in the last trip
}

func newWrites(sql *statements) *writes { return &writes{sql: sql, trips: []*pgx.Batch{{}}} }

func (w *writes) queue(sql string, values ...any) { w.trips[len(w.trips)-1].Queue(sql, values...) }

// histories keeps what has closed.
func (w *writes) histories(list []store.Projection) {
	for _, p := range list {
		if p.History != nil {
			w.queue(insertHistory, historyValues(p.History)...)
		}
	}
}

// run replaces what is stored of a run.
func (w *writes) run(snapshot *store.Snapshot, stored *store.StoredEvents) error {
	encoded, err := store.Encode(*snapshot)
	if err != nil {
		return err
	}
	r := &snapshot.Record
	values, err := columns.Values(w.sql.runs, &columns.Run{Snapshot: snapshot, Encoded: &encoded}, write)
	if err != nil {
		return err
	}
	w.queue(w.sql.upsertRun, values...)

	if stored != nil {
		w.queue(`delete from tutti.tasks where tenant_id = $1 and run_id = $2`, r.TenantID, r.RunID)
	}
	for _, row := range columns.TaskRows(r) {
		values, err := columns.Values(w.sql.tasks, &row, write)
		if err != nil {
			return err
		}
		w.queue(w.sql.insertTask, values...)
	}

	from := 0
	if stored != nil && !snapshot.Rebuild {
		from = stored.NewFrom(snapshot.Version(), encoded.Events)
	}
	if stored != nil && from == 0 {
		w.queue(`delete from tutti.run_events where tenant_id = $1 and run_id = $2`, r.TenantID, r.RunID)
	}
	for from < len(encoded.Events) {
		if w.events >= maxEvents {
			w.trips, w.events = append(w.trips, &pgx.Batch{}), 0
		}
		end := min(from+maxEvents-w.events, len(encoded.Events))
		w.insertEvents(r, from, snapshot.Events[from:end], encoded.Events[from:end])
		from, w.events = end, w.events+end-from
	}
	return nil
}

func (w *writes) commit(ctx context.Context, conn *pgxpool.Conn) error {
	w.queue(`commit`)
	for _, b := range w.trips {
		if err := conn.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
	}
	return nil
}

// insertEvents inserts events in one statement, which costs both sides much less
// than one for each. from is how many stand before them.
func (w *writes) insertEvents(r *run.Record, from int, events []run.Stamped, bodies [][]byte) {
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
	w.queue(`
insert into tutti.run_events (tenant_id, run_id, seq, event_id, at, type, task_id, body)
select $1, $2, $3 + e.place, e.event_id, e.at, e.type, nullif(e.task_id, ''), e.body
from unnest($4::bigint[], $5::timestamptz[], $6::text[], $7::text[], $8::bytea[]) with ordinality
  as e (event_id, at, type, task_id, body, place)`,
		r.TenantID, r.RunID, from, ids, times, types, tasks, bodies)
}
