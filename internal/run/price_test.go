package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func tokens(n int64) *int64 { return &n }

func TestCost(t *testing.T) {
	t.Parallel()
	price := run.Price{ID: "p", Input: "5", Cached: "0.5", CacheWrite: "6.25", Output: "25", Reasoning: "30"}
	for name, c := range map[string]struct {
		price run.Price
		usage run.Usage
		want  string
	}{
		"each part at its own price": {price, run.Usage{
			InputTokens: tokens(1_000_000), CachedInputTokens: tokens(100_000), CacheWriteInputTokens: tokens(200_000),
			OutputTokens: tokens(500_000), ReasoningTokens: tokens(100_000),
		}, "17.8"},
		"a part without a price is like the whole": {run.Price{Input: "5", Output: "25"}, run.Usage{
			InputTokens: tokens(1_000_000), CachedInputTokens: tokens(100_000), CacheWriteInputTokens: tokens(200_000),
			OutputTokens: tokens(500_000), ReasoningTokens: tokens(100_000),
		}, "17.5"},
		"parts that nobody counted":       {price, run.Usage{InputTokens: tokens(1), OutputTokens: tokens(1)}, "0.00003"},
		"nothing used":                    {price, run.Usage{InputTokens: tokens(0), OutputTokens: tokens(0)}, "0"},
		"free":                            {run.Price{Input: "0", Output: "0"}, run.Usage{InputTokens: tokens(9), OutputTokens: tokens(9)}, "0"},
		"more cached than there was":      {price, run.Usage{InputTokens: tokens(1), CachedInputTokens: tokens(2), OutputTokens: tokens(0)}, "0.000001"},
		"no float would say this exactly": {run.Price{Input: "0.1", Output: "0.2"}, run.Usage{InputTokens: tokens(1), OutputTokens: tokens(1)}, "0.0000003"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cost, err := c.price.Cost(c.usage)
			require.NoError(t, err)
			require.Equal(t, c.want, run.Decimal(cost))
		})
	}
	for _, usage := range []run.Usage{{}, {InputTokens: tokens(1)}, {OutputTokens: tokens(1)}} {
		_, err := price.Cost(usage)
		require.ErrorIs(t, err, run.ErrUsageUnknown)
	}
	for _, amount := range []string{"", "-1", "x", "1,5"} {
		_, err := run.Price{ID: "bad", Input: amount, Output: "1"}.Cost(run.Usage{InputTokens: tokens(1), OutputTokens: tokens(1)})
		require.Error(t, err, amount)
		require.NotErrorIs(t, err, run.ErrUsageUnknown)
	}
}

func TestEstimateAndCharge(t *testing.T) {
	t.Parallel()
	price := &run.Price{Input: "4", Output: "2"}
	require.Equal(t, run.Charge{Tokens: 102, CostUSD: "0.000208"}, run.Estimate(5, 100, price), "five bytes are two tokens")
	require.Equal(t, run.Charge{Tokens: 102}, run.Estimate(5, 100, nil))
	require.Equal(t, run.Charge{Tokens: 3, CostUSD: "0.3"}, run.Charge{Tokens: 1, CostUSD: "0.1"}.Add(run.Charge{Tokens: 2, CostUSD: "0.2"}))
	require.Equal(t, run.Charge{CostUSD: "0.1"}, run.Charge{}.Add(run.Charge{CostUSD: "0.1"}))
	require.Equal(t, run.Charge{CostUSD: "0.1"}, run.Charge{CostUSD: "0.1"}.Add(run.Charge{}))
}
