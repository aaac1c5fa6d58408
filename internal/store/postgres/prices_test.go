package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

func count(n int64) *int64 { return &n }

// TestCostsAreRecomputable: the database alone, without the program, tells what
// each call cost, to the last decimal and as the program counted it.
func TestCostsAreRecomputable(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	whole := run.Price{ID: "p/m@1", Input: "5", Cached: "0.5", CacheWrite: "6.25", Output: "25", Reasoning: "30"}
	plain := run.Price{ID: "p/m@2", Input: "0.000000001", Output: "999999999.999999999"}
	oracle := run.Usage{
		InputTokens: count(1_000_000), CachedInputTokens: count(100_000), CacheWriteInputTokens: count(200_000),
		OutputTokens: count(500_000), ReasoningTokens: count(100_000),
	}
	for i, c := range []struct {
		price *run.Price
		usage run.Usage
		want  []string // none: the view has no row; one empty text: it has no cost
	}{
		{&whole, oracle, []string{"17.8"}},
		{&plain, oracle, []string{"500000000.0000000005"}},
		{&whole, run.Usage{InputTokens: count(7), OutputTokens: count(3)}, []string{"0.00011"}},
		{&whole, run.Usage{InputTokens: count(5), CachedInputTokens: count(9), OutputTokens: count(0)}, []string{"0.0000045"}},
		{nil, oracle, []string{""}},
		{&whole, run.Usage{InputTokens: count(7)}, nil},
	} {
		key := ledger.CallKey{Tenant: "t", RunID: "r", TaskID: "a", Call: i + 1}
		a := ledger.Attempt{CallKey: key, Source: key.TaskID + string(rune('0'+i)), Kind: "model", StartedAt: time.Unix(1, 0)}
		if c.price != nil {
			require.NoError(t, s.RecordPrice(t.Context(), ledger.PriceRow{Tenant: "t", Provider: "p", Model: "m", Price: *c.price, RecordedAt: time.Unix(1, 0)}))
			a.PriceID = c.price.ID
			if cost, err := c.price.Cost(c.usage); err == nil {
				text := run.Decimal(cost)
				c.usage.CostUSD = &text
			}
		}
		_, err := s.BeginAttempt(t.Context(), a)
		require.NoError(t, err)
		_, err = s.CloseAttempt(t.Context(), key, 1, ledger.Closing{State: ledger.Answered, Usage: c.usage})
		require.NoError(t, err)
		for _, name := range []string{"cost_usd", "recorded_cost_usd"} {
			require.ElementsMatch(t, c.want, column(t, s, `
select coalesce(`+name+`::text, '') from tutti_kept.call_costs where tenant_id = 't' and call = $1`, key.Call), "%d %s", i, name)
		}
	}
}

// TestPricesAreOnlyAdded: what a call points at is there and stays as it is.
func TestPricesAreOnlyAdded(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	_, err := s.BeginAttempt(t.Context(), ledger.Attempt{CallKey: ledger.CallKey{Tenant: "t"}, Source: "s", PriceID: "p/m@1"})
	require.ErrorContains(t, err, "23503", "a call points at a price that is there")
	require.NoError(t, s.RecordPrice(t.Context(), ledger.PriceRow{Tenant: "t", Price: run.Price{ID: "p/m@1", Input: "1", Output: "1"}, RecordedAt: time.Unix(1, 0)}))
	_, err = s.pool.Exec(t.Context(), `update tutti_kept.model_prices set input_usd_per_million = 0`)
	require.ErrorContains(t, err, "only added")
}
