package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// AcquireLease implements store.Leases.
func (s *Store) AcquireLease(ctx context.Context, name, holder string, lasts time.Duration) (granted bool, err error) {
	err = s.transact(ctx, "acquire a lease", func(tx *sql.Tx) error {
		now := time.Now()
		result, err := tx.ExecContext(ctx, `
insert into leases (name, holder, until) values (?, ?, ?)
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where leases.holder = excluded.holder or leases.until <= ?`,
			name, holder, timeText(now.Add(lasts)), timeText(now))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		granted = n == 1
		return err
	})
	return granted && err == nil, err
}

// ReleaseLease implements store.Leases.
func (s *Store) ReleaseLease(ctx context.Context, name, holder string) error {
	return s.transact(ctx, "release a lease", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `delete from leases where name = ? and holder = ?`, name, holder)
		return err
	})
}

// LoadLease implements store.Leases.
func (s *Store) LoadLease(ctx context.Context, name string) (held store.Lease, err error) {
	var until string
	err = s.db.QueryRowContext(ctx, `select holder, until from leases where name = ? and until > ?`,
		name, timeText(time.Now())).Scan(&held.Holder, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Lease{}, nil
	}
	if err != nil {
		return store.Lease{}, failed(ctx, "load a lease", err)
	}
	held.Until, err = parseTime(until)
	return held, err
}
