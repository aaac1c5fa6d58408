package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/tutti-dev/tutti/internal/store"
)

// SchemaVersion is the version of schema tutti_kept that this binary works with.
const SchemaVersion = 1

// versionTable is kept outside of the mirror, which may be dropped.
const versionTable = "tutti_kept.goose_db_version"

// migrationLock is the key of the advisory lock under which one process at a
// time migrates a database. The number is any that others are unlikely to use.
const migrationLock = 0x7475747469 // "tutti"

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed mirror.sql
var mirror string

// Migrate brings the database to SchemaVersion and puts a missing mirror in its
// place, empty. It returns the versions before and after. Several processes may
// call it at once. The error is store.ErrSchema when a newer binary was here.
func Migrate(ctx context.Context, dsn string) (from, to int64, err error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return 0, 0, fmt.Errorf("postgres: read the connection string: %w", err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return 0, 0, failed(ctx, "connect", err)
	}
	// The lock is the session's and ends with it.
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, int64(migrationLock)); err != nil {
		return 0, 0, failed(ctx, "lock for migration", err)
	}
	if _, err := conn.Exec(ctx, `create schema if not exists tutti_kept`); err != nil {
		return 0, 0, failed(ctx, "make schema tutti_kept", err)
	}
	if from, to, err = migrateKept(ctx, config); err != nil {
		return from, to, err
	}
	if _, err := conn.Exec(ctx, mirror); err != nil {
		return from, to, failed(ctx, "make the mirror", err)
	}
	return from, to, nil
}

func migrateKept(ctx context.Context, config *pgx.ConnConfig) (from, to int64, err error) {
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, 0, fmt.Errorf("postgres: read the migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return 0, 0, fmt.Errorf("postgres: read the migrations: %w", err)
	}
	if from, err = provider.GetDBVersion(ctx); err != nil {
		return 0, 0, failed(ctx, "read the schema version", err)
	}
	if from > SchemaVersion {
		return from, from, newer(from)
	}
	if _, err := provider.Up(ctx); err != nil {
		return from, from, failed(ctx, "migrate", err)
	}
	return from, SchemaVersion, nil
}

func newer(version int64) error {
	return fmt.Errorf("postgres: %w: the database has version %d and this binary knows %d: use the newer tutti",
		store.ErrSchema, version, SchemaVersion)
}
