package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
)

func TestWhatAProviderSaysOfEveryRequest(t *testing.T) {
	t.Parallel()
	place := newPlace(t)
	place.write("work/tutti.yaml", `providers:
  local:
    dialect: openai
    baseURL: http://h/v1
    maxTokens: 2048
    temperature: -0
    extras:
      top_k: 20
      provider: {order: [a, b]}
`)
	c := place.load(config.Flags{})
	p := c.Provider("local")
	require.Equal(t, 2048, p.MaxTokens)
	require.NotNil(t, p.Temperature)
	require.InDelta(t, 0, *p.Temperature, 0)
	require.Equal(t, map[string]any{"top_k": 20, "provider": map[string]any{"order": []any{"a", "b"}}}, p.Extras)

	require.Nil(t, c.Provider("openai").Temperature, "nothing said is nothing set")
	var found bool
	for _, s := range c.Explain() {
		if s.Key == "providers.local.extras" {
			found = true
			require.Equal(t, "provider, top_k", s.Value)
			require.Equal(t, "tutti.yaml:7:5", s.Source.String())
		}
	}
	require.True(t, found)
}

func TestABudgetFromFlagsFollowsTheRulesOfTheSettings(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	b, err := config.ParseBudget(text("0.010000001"), nil)
	require.NoError(t, err)
	require.Equal(t, "0.010000001", *b.MaxCostUSD)
	require.Nil(t, b.MaxTokens)

	b, err = config.ParseBudget(text("0"), text("0"))
	require.NoError(t, err)
	require.Equal(t, "0", *b.MaxCostUSD, "nothing may be spent")
	require.Zero(t, *b.MaxTokens)

	for _, bad := range []struct{ cost, tokens, want string }{
		{"-1", "1", "--max-cost is no amount of dollars"},
		{"1e3", "1", "--max-cost is no amount"},
		{"$5", "1", "--max-cost is no amount"},
		{"", "1", "--max-cost is no amount"},
		{"5000000", "1", "--max-cost is out of range"},
		{"1", "-1", "--max-tokens is out of range"},
		{"1", "many", "--max-tokens is no whole number"},
	} {
		_, err := config.ParseBudget(&bad.cost, &bad.tokens)
		require.ErrorContains(t, err, bad.want)
	}
}

func TestVariablesThatMeanNothingAreFound(t *testing.T) {
	t.Parallel()
	found := config.UnknownVariables([]string{
		"PATH=/bin", "TUTTI_STOR=sqlite", "TUTTI_STORE=sqlite", "TUTTI_CONFIG=x", "TUTTI_QQQQQQQQQQQ=1",
		"TUTTI_EMPTY=", "TUTTI_BUDGET_MAX_COST_USD=1", "TUTTI_PROVIDER_TIMEOUT=1s",
	})
	require.Len(t, found, 2)
	require.Equal(t, config.UnknownVariable{Name: "TUTTI_QQQQQQQQQQQ"}, found[0])
	require.Equal(t, "TUTTI_STOR", found[1].Name)
	require.Equal(t, "TUTTI_STORE", found[1].Near[0])
}
