package memory_test

import (
	"context"
	"testing"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/memory"
	"github.com/tutti-dev/tutti/internal/store/storetest"
)

// subject has one place only, this process: opening it again gives an empty store.
func subject() storetest.Subject {
	return storetest.Subject{
		Place: func(testing.TB) string { return "" },
		Open:  func(context.Context, string) (store.Store, error) { return memory.New(), nil },
	}
}

func TestMain(m *testing.M) { storetest.Main(m, subject()) }

func TestSuite(t *testing.T) {
	t.Parallel()
	// The gaps that the package declares.
	storetest.Run(t, subject(), storetest.Capabilities{Durable: false, Shared: false})
}
