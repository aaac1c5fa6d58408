package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestEachCapOfTheWishIsLaidOverTheDefault(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	require.Equal(t, run.Budget{}, planned(t, m, plan.Wish{Chain: "a"}).Budget)

	m.Budget = run.Budget{MaxCostUSD: of("1.00")}
	require.Equal(t, m.Budget, planned(t, m, plan.Wish{Chain: "a"}).Budget)
	require.Equal(t, run.Budget{MaxCostUSD: of("1.00"), MaxTokens: of(int64(5))},
		planned(t, m, plan.Wish{Chain: "a", Budget: run.Budget{MaxTokens: of(int64(5))}}).Budget)
	require.Equal(t, "0", *planned(t, m, plan.Wish{Chain: "a", Budget: run.Budget{MaxCostUSD: of("0")}}).Budget.MaxCostUSD,
		"nothing may be spent is a cap and not the lack of one")
}

func TestTheDigestCoversTheBudgetThatWasGiven(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	digest := func(b run.Budget) string {
		made, err := m.Make(plan.Wish{Request: "please", Chain: "a", Budget: b})
		require.NoError(t, err)
		return made.Asked
	}
	none, capped := digest(run.Budget{}), digest(run.Budget{MaxCostUSD: of("1")})
	require.NotEqual(t, none, capped)
	require.Equal(t, capped, digest(run.Budget{MaxCostUSD: of("1.00")}), "one amount in two spellings")
	require.NotEqual(t, none, digest(run.Budget{MaxTokens: of(int64(1))}))
	m.Budget.MaxCostUSD = of("1")
	require.Equal(t, none, digest(run.Budget{}), "what the configuration adds was not asked for")
}

func TestACostCapNeedsPrices(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{
		".tutti/specialists/a.md": persona("a", "model: openai/gpt-5"),
		".tutti/specialists/b.md": persona("b", "model: openai/gpt-5\nfallbackModels: [local/llama]"),
	})
	cost := run.Budget{MaxCostUSD: of("0.01")}
	require.NotNil(t, planned(t, m, plan.Wish{Chain: "a", Budget: cost}).Tasks[0].Price)

	refusal := refused(t, m, plan.Wish{Chain: "a", Model: "local/llama", Budget: cost})
	require.Equal(t, run.CodeRunInputInvalid, refusal.Code)
	require.Equal(t, "model local/llama has no price, so the cost cap of $0.01 cannot be kept; "+
		"set its price in prices.yaml, or use --max-tokens instead", refusal.Error())
	require.Contains(t, refused(t, m, plan.Wish{Chain: "b", Budget: cost}).Message, "local/llama", "a fallback may be asked too")

	require.Len(t, planned(t, m, plan.Wish{Chain: "b", Budget: run.Budget{MaxTokens: of(int64(9))}}).Tasks, 1)
	require.Len(t, planned(t, m, plan.Wish{Chain: "b", Backend: "inline", Budget: cost}).Tasks, 1, "inline asks nobody")

	m.Budget, m.Prices = cost, nil
	require.Contains(t, refused(t, m, plan.Wish{Chain: "a"}).NextStep, "budget.maxCostUsd", "the configuration set this cap")
}

func TestCapsThatAreNoAmounts(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	for _, cost := range []string{"", "-1", "1/3", "1e9", "NaN", "0x1", "1.", ".5"} {
		refusal := refused(t, m, plan.Wish{Chain: "a", Budget: run.Budget{MaxCostUSD: of(cost)}})
		require.Equal(t, run.CodeRunInputInvalid, refusal.Code, cost)
	}
	refused(t, m, plan.Wish{Chain: "a", Budget: run.Budget{MaxTokens: of(int64(-1))}})
}
