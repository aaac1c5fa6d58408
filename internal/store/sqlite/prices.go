package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// RecordPrice implements ledger.Prices.
func (s *Store) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	return s.transact(ctx, "record a price", func(tx *sql.Tx) error {
		values, err := columns.Values(s.sql.prices, &p, write)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, s.sql.insertPrice, values...)
		return err
	})
}

// LoadPrice implements ledger.Prices.
func (s *Store) LoadPrice(ctx context.Context, tenant, id string) (ledger.PriceRow, error) {
	p := ledger.PriceRow{Tenant: tenant}
	p.ID = id
	var at string
	err := s.db.QueryRowContext(ctx, `
select provider, model, input_usd_per_million, coalesce(cached_input_usd_per_million, ''),
  coalesce(cache_write_input_usd_per_million, ''), output_usd_per_million,
  coalesce(reasoning_usd_per_million, ''), recorded_at
from model_prices where tenant_id = ? and price_id = ?`, tenant, id).
		Scan(&p.Provider, &p.Model, &p.Input, &p.Cached, &p.CacheWrite, &p.Output, &p.Reasoning, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.PriceRow{}, fmt.Errorf("price %s: %w", id, ledger.ErrPriceNotFound)
	}
	if err == nil {
		p.RecordedAt, err = parseTime(at)
	}
	if err != nil {
		return ledger.PriceRow{}, failed(ctx, "load a price", err)
	}
	return p, nil
}
