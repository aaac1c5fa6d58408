package activities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

func priced() *run.Price {
	return &run.Price{ID: "fake/m@1", Input: "5", Cached: "0.5", CacheWrite: "6.25", Output: "25", Reasoning: "30"}
}

func limit(usd string, tokens int64) *run.Budget {
	b := &run.Budget{}
	if usd != "" {
		b.MaxCostUSD = &usd
	}
	if tokens > 0 {
		b.MaxTokens = &tokens
	}
	return b
}

func TestACallIsBilledAtItsPinnedPrice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{provider.Answer("ok", "m", provider.Usage{
		InputTokens: provider.Count(1_000_000), CachedInputTokens: provider.Count(100_000),
		CacheWriteInputTokens: provider.Count(200_000), OutputTokens: provider.Count(500_000),
		ReasoningTokens: provider.Count(100_000),
	})}
	in := task()
	in.Price = priced()
	result, err := s.execute(in)
	require.NoError(t, err)
	require.Equal(t, "17.8", *result.Usage.CostUSD)
	require.Zero(t, result.Usage.UnpricedCalls)
	require.Equal(t, run.Charge{CostUSD: "17.8", Tokens: 1_500_000}, result.Charge)

	row := s.rows()[0]
	require.Equal(t, "17.8", *row.Usage.CostUSD)
	price, err := s.store.LoadPrice(t.Context(), "acme", row.PriceID)
	require.NoError(t, err)
	require.Equal(t, *priced(), price.Price)
	require.Equal(t, "m", price.Model)
}

func TestWhatIsUnknownStaysUnknownAndCountsAtItsEstimate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		price    *run.Price
		usage    provider.Usage
		unpriced int
		charge   run.Charge
	}{
		"unpriced":               {nil, provider.Usage{InputTokens: provider.Count(7), OutputTokens: provider.Count(3)}, 1, run.Charge{Tokens: 10}},
		"unpriced, nothing told": {nil, provider.Usage{}, 1, run.Charge{Tokens: 1100}},
		"priced, nothing told":   {&run.Price{ID: "p", Input: "1", Output: "1"}, provider.Usage{}, 0, run.Charge{CostUSD: "0.0011", Tokens: 1100}},
		"priced, half told":      {&run.Price{ID: "p", Input: "1", Output: "1"}, provider.Usage{OutputTokens: provider.Count(3)}, 0, run.Charge{CostUSD: "0.0011", Tokens: 1100}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.model.outcomes = []provider.Outcome{provider.Answer("ok", "m", c.usage)}
			in := task()
			in.Price, in.Ceiling = c.price, 1000
			result, err := s.execute(in)
			require.NoError(t, err)
			require.Nil(t, result.Usage.CostUSD)
			require.Equal(t, c.usage.InputTokens, result.Usage.InputTokens)
			require.Equal(t, c.unpriced, result.Usage.UnpricedCalls)
			require.Equal(t, c.charge.CostUSD == "", result.Charge.CostUSD == "")
			require.InDelta(t, c.charge.Tokens, result.Charge.Tokens, 90, "the prompt is some bytes long")
			require.Equal(t, result.Usage, s.rows()[0].Usage)
		})
	}
}

func TestAResultCarriesWhatAllAttemptsUsed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	broken := provider.Outcome{Class: provider.ServerError, Status: 500}
	half := provider.Outcome{Class: provider.Overloaded, Usage: provider.Usage{InputTokens: provider.Count(10), OutputTokens: provider.Count(0)}}
	s.model.outcomes = []provider.Outcome{broken, half, answer("ok")}
	in := task()
	in.Price, in.Ceiling = &run.Price{ID: "p", Input: "1", Output: "1"}, 1000
	_, err := s.attempt("engineer/1", 1).execute(in)
	_, detail := failure(t, err)
	estimate := detail.Charge
	require.Greater(t, estimate.Tokens, int64(1000))
	require.NotEmpty(t, estimate.CostUSD)
	_, err = s.attempt("engineer/1", 2).execute(in)
	_, detail = failure(t, err)
	require.Equal(t, estimate.Tokens+10, detail.Charge.Tokens)
	require.Equal(t, 2, detail.Failure.Attempts)

	result, err := s.attempt("engineer/1", 3).execute(in)
	require.NoError(t, err)
	require.Equal(t, int64(17), *result.Usage.InputTokens)
	require.Equal(t, "0.00002", *result.Usage.CostUSD)
	require.Equal(t, estimate.Tokens+20, result.Charge.Tokens)
	require.Equal(t, 3, result.Meta.Attempts)
	require.Equal(t, int64(7), *result.Meta.Usage.InputTokens, "the answering attempt's own")
	require.Equal(t, []ledger.State{ledger.Failed, ledger.Failed, ledger.Answered}, s.states())
}

// TestAnActivityScheduledAnewCountsOnlyItsOwn: what the one before it used, that
// one has reported.
func TestAnActivityScheduledAnewCountsOnlyItsOwn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.model.outcomes = []provider.Outcome{{Class: provider.RateLimited, Usage: provider.Usage{InputTokens: provider.Count(9), OutputTokens: provider.Count(0)}}, answer("ok")}
	_, err := s.attempt("engineer/1", 1).execute(task())
	_, detail := failure(t, err)
	require.Equal(t, int64(9), *detail.Usage.InputTokens)
	result, err := s.attempt("engineer/1~2", 1).execute(task())
	require.NoError(t, err)
	require.Equal(t, int64(7), *result.Usage.InputTokens)
	require.Len(t, s.rows(), 2)
}

func TestAFurtherAttemptIsMadeOnlyWithinTheAllowance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		allowance *run.Budget
		second    bool
	}{
		"no cap":              {nil, true},
		"room for two":        {limit("1", 10_000), true},
		"tokens for one":      {limit("", 1500), false},
		"money for one":       {limit("0.0015", 0), false},
		"nothing is left":     {limit("0", 0), false},
		"no amount that is":   {limit("x", 0), false},
		"only tokens counted": {limit("", 10_000), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.model.outcomes = []provider.Outcome{{Class: provider.ServerError}, answer("ok")}
			in := task()
			in.Price, in.Ceiling, in.Allowance = &run.Price{ID: "p", Input: "1", Output: "1"}, 1000, c.allowance
			_, err := s.attempt("engineer/1", 1).execute(in)
			app, _ := failure(t, err)
			require.Equal(t, string(run.CodeServerError), app.Type(), "the first is always made")
			_, err = s.attempt("engineer/1", 2).execute(in)
			if c.second {
				require.NoError(t, err)
				return
			}
			app, detail := failure(t, err)
			require.Equal(t, string(run.CodeBudget), app.Type())
			require.True(t, app.NonRetryable())
			require.Greater(t, detail.Charge.Tokens, int64(1000), "what was used is still told")
			require.Len(t, s.model.asked, 1)
			require.Len(t, s.rows(), 1)
		})
	}
}
