package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/tutti-dev/tutti/internal/store"
)

// SchemaVersion is the version of the schema that this binary works with.
const SchemaVersion = 1

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the file to SchemaVersion, making it if it is not there, and
// returns the versions before and after. Several processes may call it at once.
func Migrate(ctx context.Context, path string) (from, to int64, err error) {
	err = locked(ctx, path, func() error {
		from, to, err = migrate(ctx, path)
		return err
	})
	return from, to, err
}

// prepare migrates a file that is new or empty, and leaves any other alone.
func prepare(ctx context.Context, path string) error {
	return locked(ctx, path, func() error {
		found, err := look(ctx, path)
		if err != nil || !found.empty {
			return err
		}
		_, _, err = migrate(ctx, path)
		return err
	})
}

// look reads the version without touching the file: another program's file
// keeps its journal mode.
func look(ctx context.Context, path string) (found schema, err error) {
	db, err := connectWith(path, "busy_timeout(10000)", "query_only(true)")
	if err != nil {
		return schema{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	found, err = versionOf(ctx, db)
	return found, failed(ctx, "open "+path, err)
}

func migrate(ctx context.Context, path string) (from, to int64, err error) {
	found, err := look(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	if found.version > SchemaVersion || (found.version == 0 && !found.empty) {
		return found.version, found.version, found.check()
	}
	db, err := connect(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, 0, fmt.Errorf("sqlite: read the migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return 0, 0, fmt.Errorf("sqlite: read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return found.version, found.version, failed(ctx, "migrate", err)
	}
	return found.version, SchemaVersion, nil
}

// schema is what was found in a file.
type schema struct {
	version int64 // 0 when tutti has made none
	empty   bool  // there are no tables, so tutti may make its own
}

func (f schema) check() error {
	switch {
	case f.version == SchemaVersion:
		return nil
	case f.version > SchemaVersion:
		return fmt.Errorf("sqlite: %w: the file has version %d and this binary knows %d: use the newer tutti",
			store.ErrSchema, f.version, SchemaVersion)
	case f.version > 0:
		return fmt.Errorf("sqlite: %w: the file has version %d and this binary needs %d: run tutti migrate",
			store.ErrSchema, f.version, SchemaVersion)
	}
	return fmt.Errorf("sqlite: %w: the file has tables and none of them are tutti's: choose another file", store.ErrSchema)
}

func versionOf(ctx context.Context, db *sql.DB) (schema, error) {
	var versioned, others int
	err := db.QueryRowContext(ctx, `
select coalesce(sum(name = 'goose_db_version'), 0), coalesce(sum(name <> 'goose_db_version'), 0)
from sqlite_schema where type = 'table' and name not like 'sqlite_%'`).Scan(&versioned, &others)
	if err != nil {
		return schema{}, err
	}
	found := schema{empty: others == 0}
	if versioned == 0 {
		return found, nil
	}
	err = db.QueryRowContext(ctx,
		`select coalesce(max(version_id), 0) from goose_db_version where is_applied`).Scan(&found.version)
	return found, err
}
