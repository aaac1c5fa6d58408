package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver, in pure Go

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// maxConns bounds the connections of this process. There is one writer at a
// time whatever their number; the others are readers and those who wait.
const maxConns = 4

// Store is the adapter. It is safe for concurrent use.
type Store struct {
	db  *sql.DB
	sql statements
}

var _ store.Store = (*Store)(nil)

// Open opens the file, and makes it with the current schema if it is new or
// empty. The error is store.ErrSchema for a file with another schema.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := prepare(ctx, path); err != nil {
		return nil, err
	}
	db, err := connect(path)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, sql: newStatements()}
	if err := s.Check(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// connect opens the file as it is used.
func connect(path string) (*sql.DB, error) {
	return connectWith(path, "busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)")
}

func connectWith(path string, pragmas ...string) (*sql.DB, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	query := url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}
	dsn := url.URL{Scheme: "file", Path: whole, RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	return db, nil
}

// Name implements store.Store.
func (s *Store) Name() string { return "sqlite" }

// Close implements store.Store.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("sqlite: close: %w", err)
	}
	return nil
}

// Check implements store.Store.
func (s *Store) Check(ctx context.Context) error {
	found, err := versionOf(ctx, s.db)
	if err != nil {
		return failed(ctx, "check the schema", err)
	}
	return found.check()
}

// transact runs work in one transaction that holds the file's write lock.
func (s *Store) transact(ctx context.Context, what string, work func(*sql.Tx) error) error {
	defer txscope.Enter(ctx)()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return failed(ctx, what, err)
	}
	if err := work(tx); err != nil {
		return failed(ctx, what, errors.Join(err, tx.Rollback()))
	}
	return failed(ctx, what, tx.Commit())
}
