package store

import (
	"context"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
)

// Store is everything that one adapter offers.
type Store interface {
	Mirror
	Sweeps
	Leases
	content.Store
	ledger.Calls
	ledger.Answers
	ledger.Prices
	ledger.Archive
	ledger.Specialists
	ledger.Garbage
	// Name is postgres, sqlite, filesystem or memory.
	Name() string
	// Check verifies that the store can be used: ErrSchema for another schema
	// version, ErrUnavailable when it cannot be reached.
	Check(ctx context.Context) error
	Close() error
}
