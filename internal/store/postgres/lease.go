package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// AcquireLease implements store.Leases, by the database's clock.
func (s *Store) AcquireLease(ctx context.Context, name, holder string, lasts time.Duration) (bool, error) {
	defer txscope.Enter(ctx)()
	tag, err := s.pool.Exec(ctx, `
insert into tutti.leases (name, holder, until) values ($1, $2, now() + $3)
on conflict (name) do update set holder = excluded.holder, until = excluded.until
where leases.holder = excluded.holder or leases.until <= now()`, name, holder, lasts)
	return err == nil && tag.RowsAffected() == 1, failed(ctx, "acquire a lease", err)
}

// ReleaseLease implements store.Leases.
func (s *Store) ReleaseLease(ctx context.Context, name, holder string) error {
	defer txscope.Enter(ctx)()
	_, err := s.pool.Exec(ctx, `delete from tutti.leases where name = $1 and holder = $2`, name, holder)
	return failed(ctx, "release a lease", err)
}

// LoadLease implements store.Leases.
func (s *Store) LoadLease(ctx context.Context, name string) (store.Lease, error) {
	defer txscope.Enter(ctx)()
	var held store.Lease
	err := s.pool.QueryRow(ctx, `select holder, until from tutti.leases where name = $1 and until > now()`, name).
		Scan(&held.Holder, &held.Until)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.Lease{}, nil
	}
	held.Until = held.Until.UTC()
	return held, failed(ctx, "load a lease", err)
}
