package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/sqlite"
	"github.com/tutti-dev/tutti/internal/store/storetest"
)

func subject() storetest.Subject {
	return storetest.Subject{
		Place: func(t testing.TB) string {
			t.Helper()
			return filepath.Join(t.TempDir(), "a folder?", "tutti #1 100%.db")
		},
		Open: func(ctx context.Context, place string) (store.Store, error) {
			return sqlite.Open(ctx, place)
		},
	}
}

func TestMain(m *testing.M) { storetest.Main(m, subject()) }

func TestSuite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, subject(), storetest.Capabilities{Durable: true, Shared: true})
}
