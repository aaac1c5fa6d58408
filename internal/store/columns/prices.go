package columns

import "github.com/tutti-dev/tutti/internal/ledger"

// Prices lists the columns of the table of prices. A part without a price of its
// own is null and costs what the whole does.
func Prices() []Column[ledger.PriceRow] {
	return []Column[ledger.PriceRow]{
		{"tenant_id", Key, func(p *ledger.PriceRow) any { return p.Tenant }},
		{"price_id", Key, func(p *ledger.PriceRow) any { return p.ID }},
		{"provider", Key, func(p *ledger.PriceRow) any { return p.Provider }},
		{"model", Key, func(p *ledger.PriceRow) any { return p.Model }},
		{"input_usd_per_million", Decimal, func(p *ledger.PriceRow) any { return &p.Input }},
		{"cached_input_usd_per_million", Decimal, func(p *ledger.PriceRow) any { return orNull(p.Cached) }},
		{"cache_write_input_usd_per_million", Decimal, func(p *ledger.PriceRow) any { return orNull(p.CacheWrite) }},
		{"output_usd_per_million", Decimal, func(p *ledger.PriceRow) any { return &p.Output }},
		{"reasoning_usd_per_million", Decimal, func(p *ledger.PriceRow) any { return orNull(p.Reasoning) }},
		{"recorded_at", Time, func(p *ledger.PriceRow) any { return p.RecordedAt }},
	}
}

func orNull(decimal string) *string {
	if decimal == "" {
		return nil
	}
	return &decimal
}
