package activities_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/provider/openai"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/testenv"
)

type innerKey struct{}

// inTransaction asks the model from within a transaction of the store.
type inTransaction struct {
	t      *testing.T
	caller provider.Caller
	store  *postgres.Store
	lock   *pgx.Conn // holds the lock that the transaction waits for
	inner  bool      // ask with the context that the transaction has
}

func (c *inTransaction) Call(ctx context.Context, ep provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	tx, err := c.lock.Begin(ctx)
	require.NoError(c.t, err)
	_, err = tx.Exec(ctx, `select pg_advisory_xact_lock(hashtextextended('t', hashtextextended('r', 0)))`)
	require.NoError(c.t, err)
	inside := context.WithValue(ctx, innerKey{}, "inner")
	saved := make(chan error)
	go func() {
		_, err := c.store.SaveRun(inside, store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})
		saved <- err
	}()
	testenv.Eventually(c.t, time.Minute, "the store is in its transaction", func() error {
		var waiting bool
		err := tx.QueryRow(ctx, `
select exists (select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database()))`).Scan(&waiting)
		if err == nil && !waiting {
			err = pgx.ErrNoRows
		}
		return err
	})
	if c.inner {
		ctx = inside
	}
	outcome, asking := c.caller.Call(ctx, ep, req)
	require.NoError(c.t, tx.Rollback(context.WithoutCancel(ctx)))
	require.NoError(c.t, <-saved)
	return outcome, asking
}

type at string

func (a at) Endpoint(context.Context, string) (activities.Resolved, error) {
	return activities.Resolved{Endpoint: provider.Endpoint{Name: "fake", Dialect: provider.DialectOpenAI, BaseURL: string(a), APIKey: "k"}}, nil
}

// TestNoModelIsAskedInsideATransaction, whichever context the asker has: the
// activity, the store's transaction and the doer are the real ones.
func TestNoModelIsAskedInsideATransaction(t *testing.T) {
	t.Parallel()
	dsn := testenv.Postgres(t)
	_, _, err := postgres.Migrate(t.Context(), dsn)
	require.NoError(t, err)
	kept, err := postgres.Open(t.Context(), dsn, postgres.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kept.Close()) })
	lock, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, lock.Close(context.Background())) })
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	asker := &inTransaction{
		t: t, store: kept, lock: lock,
		caller: openai.New(provider.NewDoer(provider.NewTransport(provider.TransportOptions{}))),
	}
	for call, inner := range []bool{false, true} {
		asker.inner = inner
		s := newStage(t, func(d *activities.Dependencies) {
			d.Store, d.Caller, d.Endpoints = kept, asker, at(fake.BaseURL())
		}).attempt(fmt.Sprintf("engineer/%d", call+1), 1)
		in := task()
		in.Model, in.Call = "echo", call+1
		_, err := s.execute(in)
		app, detail := failure(t, err)
		require.Equal(t, string(run.CodeTransactionOpen), app.Type())
		require.True(t, app.NonRetryable())
		require.Zero(t, detail.Charge.Tokens, "nothing was asked")
		rows, err := kept.Attempts(t.Context(), withCall(call+1))
		require.NoError(t, err)
		require.Equal(t, ledger.Abandoned, rows[0].State)
	}
	stats, err := fake.Stats(t.Context())
	require.NoError(t, err)
	require.Zero(t, stats.Model("echo").Calls)
}
