package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/columns"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// RecordPrice implements ledger.Prices.
func (s *Store) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	defer txscope.Enter(ctx)()
	values, err := columns.Values(s.sql.prices, &p, write)
	if err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, s.sql.insertPrice, values...)
	return failed(ctx, "record a price", err)
}

// LoadPrice implements ledger.Prices.
func (s *Store) LoadPrice(ctx context.Context, tenant, id string) (ledger.PriceRow, error) {
	defer txscope.Enter(ctx)()
	p := ledger.PriceRow{Tenant: tenant}
	p.ID = id
	err := s.pool.QueryRow(ctx, `
select provider, model, input_usd_per_million::text, coalesce(cached_input_usd_per_million::text, ''),
  coalesce(cache_write_input_usd_per_million::text, ''), output_usd_per_million::text,
  coalesce(reasoning_usd_per_million::text, ''), recorded_at
from tutti_kept.model_prices where tenant_id = $1 and price_id = $2`, tenant, id).
		Scan(&p.Provider, &p.Model, &p.Input, &p.Cached, &p.CacheWrite, &p.Output, &p.Reasoning, &p.RecordedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return ledger.PriceRow{}, fmt.Errorf("price %s: %w", id, ledger.ErrPriceNotFound)
	}
	if err != nil {
		return ledger.PriceRow{}, failed(ctx, "load a price", err)
	}
	p.RecordedAt = p.RecordedAt.UTC()
	return p, nil
}
