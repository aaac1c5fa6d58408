package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/internal/txscope"
)

func TestOpenNeedsNoDatabase(t *testing.T) {
	t.Parallel()
	port, err := testenv.FreePort()
	require.NoError(t, err)
	s := openTest(t, fmt.Sprintf("postgres://alice:secret@127.0.0.1:%d/none?sslmode=disable", port))
	requireUnavailable(t, s)
	_, _, err = Migrate(t.Context(), fmt.Sprintf("postgres://alice:secret@127.0.0.1:%d/none", port))
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.NotContains(t, err.Error(), "secret")

	_, err = Open(t.Context(), "postgres://alice:secret@[half", Options{})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

func requireUnavailable(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	key := ledger.CallKey{Tenant: "t", RunID: "r", TaskID: "a", Call: 1}
	errorOf := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Check":        s.Check(ctx),
		"SaveRun":      errorOf(s.SaveRun(ctx, store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})),
		"SaveAll":      s.SaveAll(ctx, []store.Projection{{Snapshot: store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}}}}),
		"LoadRun":      errorOf(s.LoadRun(ctx, "t", "r")),
		"ListRuns":     errorOf(s.ListRuns(ctx, store.Query{Tenant: "t"})),
		"OpenRuns":     errorOf(s.OpenRuns(ctx, 1, "")),
		"EndedRuns":    errorOf(s.EndedRuns(ctx, 1, []store.Open{{Tenant: "t", RunID: "r"}})),
		"Watermark":    errorOf(s.Watermark(ctx)),
		"SetWatermark": s.SetWatermark(ctx, time.Unix(1, 0)),
		"PutContent":   s.PutContent(ctx, "t", "d", nil),
		"GetContent":   errorOf(s.GetContent(ctx, "t", "d")),
		"BeginAttempt": errorOf(s.BeginAttempt(ctx, ledger.Attempt{CallKey: key, Source: "s"})),
		"CloseAttempt": errorOf(s.CloseAttempt(ctx, key, 1, ledger.Closing{State: ledger.Failed})),
		"Attempts":     errorOf(s.Attempts(ctx, key)),
		"SaveAnswer":   errorOf(s.SaveAnswer(ctx, ledger.Answer{CallKey: key})),
		"RecordPrice":  s.RecordPrice(ctx, ledger.PriceRow{Tenant: "t", Price: run.Price{ID: "p", Input: "1", Output: "1"}}),
		"LoadPrice":    errorOf(s.LoadPrice(ctx, "t", "p")),
		"AcquireLease": errorOf(s.AcquireLease(ctx, "l", "h", time.Minute)),
		"ReleaseLease": s.ReleaseLease(ctx, "l", "h"),
		"LoadLease":    errorOf(s.LoadLease(ctx, "l")),
		"SaveHistory":  s.SaveHistory(ctx, ledger.History{}),
		"LoadHistory":  errorOf(s.LoadHistory(ctx, "t", "r")),
		"Histories":    errorOf(s.ListHistories(ctx, ledger.HistoryKey{}, 1)),
		"Specialist":   s.RecordSpecialist(ctx, ledger.SpecialistRow{}),
		"EachAnswer":   s.EachAnswer(ctx, func([]byte) error { return nil }),
		"Discard":      errorOf(s.Discard(ctx, time.Unix(1, 0), ledger.Used{}, false)),
		"LoadAnswer":   errorOf(s.LoadAnswer(ctx, key, "p")),
	} {
		require.ErrorIs(t, err, store.ErrUnavailable, name)
		require.NotErrorIs(t, err, store.ErrNotFound, name)
		require.NotErrorIs(t, err, ledger.ErrNotFound, name)
	}
}

// A network that drops everything without a word holds nobody for long, whether a
// connection is there already or not; afterwards the store works again.
func TestAHalfOpenNetworkIsAnOutage(t *testing.T) {
	t.Parallel()
	dsn := testenv.Postgres(t)
	config, err := pgx.ParseConfig(dsn)
	require.NoError(t, err)
	address := fmt.Sprintf("%s:%d", config.Host, config.Port)
	proxy := testenv.StartProxy(t, address)
	_, _, err = Migrate(t.Context(), dsn)
	require.NoError(t, err)
	s, err := Open(t.Context(), strings.Replace(dsn, address, proxy.Address(), 1),
		Options{ConnectTimeout: 100 * time.Millisecond, QueryTimeout: 50 * time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	testenv.Eventually(t, time.Minute, "it works", func() error { return s.Check(t.Context()) })
	proxy.Hold()
	requireUnavailable(t, s)
	require.ErrorIs(t, s.RestoreMirror(t.Context()), store.ErrUnavailable)
	proxy.Flow()
	testenv.Eventually(t, time.Minute, "it works again", func() error { return s.Check(t.Context()) })
}

// TestOutage: the database goes away under a store that is in use, and comes back.
func TestOutage(t *testing.T) {
	t.Parallel()
	server := testenv.StartPostgres(t)
	_, _, err := Migrate(t.Context(), server.DSN())
	require.NoError(t, err)
	s := openTest(t, server.DSN())
	require.NoError(t, s.Check(t.Context()))
	require.NoError(t, s.PutContent(t.Context(), "t", "d", []byte("x")))

	server.Stop()
	requireUnavailable(t, s)
	server.Start()
	testenv.Eventually(t, time.Minute, "the store works again", func() error { return s.Check(t.Context()) })
	text, err := s.GetContent(t.Context(), "t", "d")
	require.NoError(t, err)
	require.Equal(t, "x", string(text))
}

// TestTransactionMarksItsScope holds the run's lock, so that a save stands in
// the middle of its transaction.
func TestTransactionMarksItsScope(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	other, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = other.Exec(t.Context(), `select pg_advisory_xact_lock(hashtextextended('t', hashtextextended('r', 0)))`)
	require.NoError(t, err)

	ctx := txscope.New(t.Context())
	saved := make(chan error)
	go func() {
		_, err := s.SaveRun(ctx, store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})
		saved <- err
	}()
	testenv.Eventually(t, time.Minute, "the save waits in its transaction", func() error {
		var waiting bool
		err := s.pool.QueryRow(t.Context(), `
select exists (select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database()))`).Scan(&waiting)
		if err == nil && !waiting {
			err = pgx.ErrNoRows
		}
		return err
	})
	require.True(t, txscope.Open(ctx))
	require.NoError(t, other.Rollback(t.Context()))
	require.NoError(t, <-saved)
	require.False(t, txscope.Open(ctx))
}

// TestCancelledSaveLeavesNothing: a save that is given up in its transaction
// takes its connection and its lock with it.
func TestCancelledSaveLeavesNothing(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	other, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = other.Exec(t.Context(), `select pg_advisory_xact_lock(hashtextextended('t', hashtextextended('r', 0)))`)
	require.NoError(t, err)
	snapshot := store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}}

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.SaveRun(ctx, snapshot)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, store.ErrUnavailable, "another try may find the lock free")
	require.NoError(t, other.Rollback(t.Context()))
	saved, err := s.SaveRun(t.Context(), snapshot)
	require.NoError(t, err)
	require.True(t, saved)
}
