package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func TestTheCapsOfARunAreShown(t *testing.T) {
	t.Parallel()
	cost, tokens := "0.50", int64(0)
	require.Empty(t, budgetWords(run.Budget{}))
	require.Equal(t, "at most $0.50, at most 0 tokens", budgetWords(run.Budget{MaxCostUSD: &cost, MaxTokens: &tokens}))
	require.Contains(t, reader(t).fieldsOf(&shown{Record: run.Record{Budget: run.Budget{MaxCostUSD: &cost}}}),
		[2]string{"budget", "at most $0.50"})
}
