package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
)

// ErrPriceNotFound is returned by Prices.LoadPrice when the tenant has no price
// of that ID.
var ErrPriceNotFound = errors.New("no such price recorded")

// PriceRow is a price that calls were billed with.
type PriceRow struct {
	Tenant          string
	Provider, Model string
	run.Price
	// RecordedAt is when the first call came with it.
	RecordedAt time.Time
}

// Prices keeps every price that a call was billed with, so that its cost can be
// computed again. It only grows.
//
// RecordPrice stores the price if the tenant has none of that ID; an ID names its
// content, so what is there already is the same. LoadPrice returns ErrPriceNotFound
// when there is none. An attempt that names a PriceID is begun after the price
// was recorded.
type Prices interface {
	RecordPrice(ctx context.Context, p PriceRow) error
	LoadPrice(ctx context.Context, tenant, id string) (PriceRow, error)
}
