package postgres

import (
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// Check implements store.Store.
func (s *Store) Check(ctx context.Context) error {
	defer txscope.Enter(ctx)()
	version, hasMirror, err := s.schema(ctx)
	switch {
	case err != nil:
		return failed(ctx, "check the schema", err)
	case version > SchemaVersion:
		return newer(version)
	case version < SchemaVersion:
		return fmt.Errorf("postgres: %w: the database has version %d and this binary needs %d: run tutti migrate",
			store.ErrSchema, version, SchemaVersion)
	case !hasMirror:
		return fmt.Errorf("postgres: %w: schema tutti is not there: run tutti migrate, then tutti projection rebuild",
			store.ErrSchema)
	}
	return nil
}

// schema returns the version of the kept data, 0 for none, and whether the
// mirror is there.
func (s *Store) schema(ctx context.Context) (version int64, hasMirror bool, err error) {
	var hasVersion bool
	err = s.pool.QueryRow(ctx, `
select to_regclass($1) is not null, to_regclass('tutti.runs') is not null`, versionTable).
		Scan(&hasVersion, &hasMirror)
	if err != nil || !hasVersion {
		return 0, hasMirror, err
	}
	err = s.pool.QueryRow(ctx, `
select coalesce(max(version_id), 0) from tutti_kept.goose_db_version where is_applied`).Scan(&version)
	return version, hasMirror, err
}

// RestoreMirror puts a dropped mirror in its place, empty. Kept data is not
// touched, and nothing is migrated: another version of it is store.ErrSchema.
func (s *Store) RestoreMirror(ctx context.Context) error {
	defer txscope.Enter(ctx)()
	version, hasMirror, err := s.schema(ctx)
	if err != nil {
		return failed(ctx, "check the schema", err)
	}
	if hasMirror || version != SchemaVersion {
		return s.Check(ctx)
	}
	_, err = s.pool.Exec(ctx, mirror)
	return failed(ctx, "make the mirror", err)
}
