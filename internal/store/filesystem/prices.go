package filesystem

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// priceFile is a price on disk. Its place says of which tenant it is.
type priceFile struct {
	Provider   string    `json:"provider"`
	Model      string    `json:"model"`
	Price      run.Price `json:"price"`
	RecordedAt time.Time `json:"recordedAt"`
}

// RecordPrice implements ledger.Prices.
func (s *Store) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	if err := ctx.Err(); err != nil {
		return failed("record a price", err)
	}
	raw, err := json.Marshal(priceFile{
		Provider: p.Provider, Model: p.Model, Price: p.Price, RecordedAt: store.Micro(p.RecordedAt),
	})
	if err != nil {
		return fmt.Errorf("filesystem: encode a price: %w", err)
	}
	_, err = create(s.priceFile(p.Tenant, p.ID), raw)
	return failed("record a price", err)
}

// LoadPrice implements ledger.Prices.
func (s *Store) LoadPrice(ctx context.Context, tenant, id string) (ledger.PriceRow, error) {
	if err := ctx.Err(); err != nil {
		return ledger.PriceRow{}, failed("load a price", err)
	}
	var file priceFile
	found, err := readJSON(s.priceFile(tenant, id), &file)
	if err != nil {
		return ledger.PriceRow{}, failed("load a price", err)
	}
	if !found {
		return ledger.PriceRow{}, fmt.Errorf("price %s: %w", id, ledger.ErrPriceNotFound)
	}
	return ledger.PriceRow{
		Tenant: tenant, Provider: file.Provider, Model: file.Model, Price: file.Price, RecordedAt: file.RecordedAt,
	}, nil
}
