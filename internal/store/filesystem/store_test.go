package filesystem_test

import (
	"context"
	"testing"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
	"github.com/tutti-dev/tutti/internal/store/storetest"
)

func subject() storetest.Subject {
	return storetest.Subject{
		Place: func(t testing.TB) string {
			t.Helper()
			return t.TempDir()
		},
		Open: func(_ context.Context, place string) (store.Store, error) {
			return filesystem.Open(place)
		},
	}
}

func TestMain(m *testing.M) { storetest.Main(m, subject()) }

func TestSuite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, subject(), storetest.Capabilities{Durable: true, Shared: true})
}
