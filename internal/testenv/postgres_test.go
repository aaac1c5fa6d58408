package testenv

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestEveryTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	one, two := Postgres(t), Postgres(t)

	require.NoError(t, execute(t.Context(), one, "create schema tutti"))
	require.NoError(t, execute(t.Context(), two, "create schema tutti"), "the other database has no such schema")
}

func TestDatabaseGoesWithItsTest(t *testing.T) {
	t.Parallel()
	var dsn string
	t.Run("owner", func(t *testing.T) {
		dsn = Postgres(t)
		conn, err := pgx.Connect(t.Context(), dsn)
		require.NoError(t, err, "a connection that is left open does not keep the database")
		require.NoError(t, conn.Ping(t.Context()))
	})
	require.ErrorContains(t, execute(t.Context(), dsn, "select 1"), "does not exist")
}

func TestPrivatePostgresKeepsItsDataOverAnOutage(t *testing.T) {
	t.Parallel()
	server := StartPostgres(t)
	ctx := t.Context()
	require.NoError(t, execute(ctx, server.DSN(), "create table kept as select 42 as n"))

	server.Stop()
	require.Error(t, execute(ctx, server.DSN(), "select 1"), "a stopped server refuses connections")

	server.Start()
	require.Equal(t, 42, number(ctx, t, server.DSN(), "select n from kept"))
}

func TestDatabaseAddressNeedsAHost(t *testing.T) {
	t.Parallel()
	address, err := withDatabase("postgres://u@127.0.0.1:5432/postgres?sslmode=disable", "other")
	require.NoError(t, err)
	require.Equal(t, "postgres://u@127.0.0.1:5432/other?sslmode=disable", address)

	_, err = withDatabase("host=127.0.0.1 dbname=postgres", "other")
	require.ErrorContains(t, err, "is not a postgres:// URL")
}

func number(ctx context.Context, t *testing.T, dsn, sql string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	require.NoError(t, err)
	defer conn.Close(ctx)
	var n int
	require.NoError(t, conn.QueryRow(ctx, sql).Scan(&n))
	return n
}
