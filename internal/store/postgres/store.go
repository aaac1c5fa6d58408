package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tutti-dev/tutti/internal/store"
)

// Options tune the connection pool. What is zero takes its default.
type Options struct {
	// MaxConns bounds the connections of this process: 10.
	MaxConns int32
	// ConnectTimeout bounds one attempt to connect: 5 s.
	ConnectTimeout time.Duration
	// QueryTimeout bounds one round trip: a minute, and thirty times that where a
	// whole table is read.
	QueryTimeout time.Duration
}

// Store is the adapter. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	sql  statements
}

var _ store.Store = (*Store)(nil)

// Open makes a store on the database that the connection string names. It does
// not connect: only a string that cannot be read is an error. Check says
// whether the database can be used.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("postgres: read the connection string: %w", err)
	}
	config.MaxConns = 10
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	if o.ConnectTimeout > 0 {
		config.ConnConfig.ConnectTimeout = o.ConnectTimeout
	}
	config.MinConns = 0
	config.ConnConfig.Tracer = patience{cmp.Or(o.QueryTimeout, time.Minute)}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: make a pool: %w", err)
	}
	return &Store{pool: pool, sql: newStatements()}, nil
}

// Name implements store.Store.
func (s *Store) Name() string { return "postgres" }

// Close implements store.Store. It waits for the connections in use.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// batch sends statements in one round trip and one transaction, and hands the
// results to use, in order.
func (s *Store) batch(ctx context.Context, b *pgx.Batch, use func(pgx.BatchResults) error) error {
	return read(s.pool.SendBatch(ctx, b), use)
}

// read hands the results to use and closes them, which finds what went wrong in
// those that were not used.
func read(results pgx.BatchResults, use func(pgx.BatchResults) error) error {
	err := use(results)
	if closing := results.Close(); err == nil {
		err = closing
	}
	return err
}
