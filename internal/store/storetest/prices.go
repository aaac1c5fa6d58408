package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

func price(id string) ledger.PriceRow {
	return ledger.PriceRow{
		Tenant: tenant, Provider: "openrouter", Model: "anthropic/claude-größe",
		Price:      run.Price{ID: id, Input: "5", Cached: "0.5", CacheWrite: "6.25", Output: "25", Reasoning: "30"},
		RecordedAt: start().Truncate(time.Microsecond),
	}
}

// testPrices: a price is there once it was recorded, stays as it was, and is one
// tenant's. What it does not say stays unsaid.
func testPrices(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	_, err := st.LoadPrice(ctx, tenant, "p/m@1")
	require.ErrorIs(t, err, ledger.ErrPriceNotFound)

	whole, sparse := price("p/m@1"), price("p/m@2")
	sparse.Price = run.Price{ID: "p/m@2", Input: "0", Output: "0.000000001"}
	for _, p := range []ledger.PriceRow{whole, sparse} {
		require.NoError(t, st.RecordPrice(ctx, p))
		stored, err := st.LoadPrice(ctx, tenant, p.ID)
		require.NoError(t, err)
		require.Equal(t, p, stored)
	}
	other := price("p/m@1")
	other.Input, other.RecordedAt = "99", other.RecordedAt.Add(time.Hour)
	require.NoError(t, st.RecordPrice(ctx, other))
	stored, err := st.LoadPrice(ctx, tenant, "p/m@1")
	require.NoError(t, err)
	require.Equal(t, whole, stored, "the first one stays")
	_, err = st.LoadPrice(ctx, "globex", "p/m@1")
	require.ErrorIs(t, err, ledger.ErrPriceNotFound)

	var group errgroup.Group
	for range 8 {
		group.Go(func() error { return st.RecordPrice(ctx, price("p/m@3")) })
	}
	require.NoError(t, group.Wait())

	priced := attempt("r/a/1")
	priced.PriceID = "p/m@1"
	_, err = st.BeginAttempt(ctx, priced)
	require.NoError(t, err)
	list, err := st.Attempts(ctx, callKey())
	require.NoError(t, err)
	require.Equal(t, "p/m@1", list[0].PriceID)
}

// testAttemptPutRight: what a successor called uncertain the attempt itself puts
// right, once.
func testAttemptPutRight(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	_, err := st.BeginAttempt(ctx, attempt("r/a/1"))
	require.NoError(t, err)
	for _, c := range []struct {
		state  ledger.State
		closes bool
	}{
		{ledger.Uncertain, true},
		{ledger.Uncertain, false},
		{ledger.Abandoned, true},
		{ledger.Answered, false},
		{ledger.Uncertain, false},
	} {
		closed, err := st.CloseAttempt(ctx, callKey(), 1, ledger.Closing{
			State: c.state, FinishedAt: start(), Usage: run.Usage{CallsUncertain: 1},
		})
		require.NoError(t, err)
		require.Equal(t, c.closes, closed, c.state)
	}
	list, err := st.Attempts(ctx, callKey())
	require.NoError(t, err)
	require.Equal(t, ledger.Abandoned, list[0].State)
	require.Equal(t, 1, list[0].Usage.CallsUncertain)
}
