package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// SaveRun implements store.Mirror.
func (s *Store) SaveRun(ctx context.Context, snapshot store.Snapshot) (saved bool, err error) {
	err = s.transact(ctx, "save run "+snapshot.Record.RunID, func(tx *sql.Tx) (err error) {
		saved, err = s.save(ctx, tx, snapshot)
		return err
	})
	return saved && err == nil, err
}

// SaveAll implements store.Mirror. One transaction waits for the disk once.
func (s *Store) SaveAll(ctx context.Context, list []store.Projection) error {
	return s.transact(ctx, "save runs", func(tx *sql.Tx) error {
		for _, p := range list {
			if p.History != nil {
				if err := insertHistory(ctx, tx, *p.History); err != nil {
					return err
				}
			}
			if _, err := s.save(ctx, tx, p.Snapshot); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) save(ctx context.Context, tx *sql.Tx, snapshot store.Snapshot) (bool, error) {
	encoded, err := store.Encode(snapshot)
	if err != nil {
		return false, err
	}
	stored, err := storedRun(ctx, tx, snapshot.Record.TenantID, snapshot.Record.RunID)
	if err != nil || stored != nil && !snapshot.Supersedes(stored.Version) {
		return false, err
	}
	return true, s.replace(ctx, tx, snapshot, encoded, stored)
}

// storedRun returns what is stored, nil for nothing.
func storedRun(ctx context.Context, tx *sql.Tx, tenant, runID string) (*store.StoredEvents, error) {
	var stored store.StoredEvents
	v := &stored.Version
	err := tx.QueryRowContext(ctx, `
select r.temporal_run_id, r.last_event_id, r.builder_version, coalesce(e.seq, 0), e.body
from runs r left join run_events e
  on e.tenant_id = r.tenant_id and e.run_id = r.run_id and e.seq = (
    select max(seq) from run_events where tenant_id = r.tenant_id and run_id = r.run_id)
where r.tenant_id = ? and r.run_id = ?`, tenant, runID).
		Scan(&v.TemporalRunID, &v.LastEventID, &v.Builder, &stored.Count, &stored.Last)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &stored, err
}

func (s *Store) replace(
	ctx context.Context, tx *sql.Tx, snapshot store.Snapshot, encoded store.Encoded, stored *store.StoredEvents,
) error {
	r := &snapshot.Record
	values, err := columns.Values(s.sql.runs, &columns.Run{Snapshot: &snapshot, Encoded: &encoded}, write)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, s.sql.replaceRun, values...); err != nil {
		return err
	}
	if err := s.replaceTasks(ctx, tx, r); err != nil {
		return err
	}
	from := 0
	if stored != nil && !snapshot.Rebuild {
		from = stored.NewFrom(snapshot.Version(), encoded.Events)
	}
	return replaceEvents(ctx, tx, r, from, snapshot.Events, encoded.Events)
}

func (s *Store) replaceTasks(ctx context.Context, tx *sql.Tx, r *run.Record) error {
	_, err := tx.ExecContext(ctx, `delete from tasks where tenant_id = ? and run_id = ?`, r.TenantID, r.RunID)
	if err != nil || len(r.Tasks) == 0 {
		return err
	}
	insert, err := tx.PrepareContext(ctx, s.sql.insertTask)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, row := range columns.TaskRows(r) {
		values, err := columns.Values(s.sql.tasks, &row, write)
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return nil
}

func replaceEvents(ctx context.Context, tx *sql.Tx, r *run.Record, from int, events []run.Stamped, bodies [][]byte) error {
	if from == 0 {
		_, err := tx.ExecContext(ctx, `delete from run_events where tenant_id = ? and run_id = ?`, r.TenantID, r.RunID)
		if err != nil {
			return err
		}
	}
	for i := from; i < len(events); i++ {
		at, err := write(columns.Time, columns.Plain(columns.Time, events[i].At))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
insert into run_events (tenant_id, run_id, seq, event_id, at, type, task_id, body)
values (?, ?, ?, ?, ?, ?, nullif(?, ''), ?)`,
			r.TenantID, r.RunID, i+1, events[i].EventID, at,
			run.TypeOf(events[i].Event), events[i].Event.Task(), bodies[i])
		if err != nil {
			return err
		}
	}
	return nil
}
