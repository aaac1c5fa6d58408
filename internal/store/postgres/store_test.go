package postgres_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/store/storetest"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func subject() storetest.Subject {
	return storetest.Subject{
		Place: func(t testing.TB) string {
			t.Helper()
			dsn := testenv.Postgres(t)
			_, _, err := postgres.Migrate(t.Context(), dsn)
			require.NoError(t, err)
			return dsn
		},
		Open: func(ctx context.Context, place string) (store.Store, error) {
			return postgres.Open(ctx, place, postgres.Options{MaxConns: 4})
		},
	}
}

func TestMain(m *testing.M) { storetest.Main(m, subject()) }

func TestSuite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, subject(), storetest.Capabilities{Durable: true, Shared: true})
}
