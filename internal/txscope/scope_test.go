package txscope_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/txscope"
)

type ctxKey struct{}

func TestOuterAndInnerContextSeeTheTransaction(t *testing.T) {
	t.Parallel()
	outer := txscope.New(t.Context())
	inner := context.WithValue(outer, ctxKey{}, "inner")
	require.False(t, txscope.Open(outer))

	leave := txscope.Enter(inner)
	require.True(t, txscope.Open(inner))
	require.True(t, txscope.Open(outer), "the outer context shares the scope")
	require.True(t, txscope.Open(context.WithoutCancel(outer)))

	leave()
	require.False(t, txscope.Open(inner))
	require.False(t, txscope.Open(outer))
}

func TestNestedTransactionsAreCounted(t *testing.T) {
	t.Parallel()
	ctx := txscope.New(t.Context())
	first, second := txscope.Enter(ctx), txscope.Enter(ctx)
	first()
	first()
	require.True(t, txscope.Open(ctx), "leaving twice must not close the other transaction")
	second()
	require.False(t, txscope.Open(ctx))
}

func TestScopesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	a, b := txscope.New(t.Context()), txscope.New(t.Context())
	defer txscope.Enter(a)()
	require.True(t, txscope.Open(a))
	require.False(t, txscope.Open(b))
}

func TestWithoutScopeNothingIsMarked(t *testing.T) {
	t.Parallel()
	leave := txscope.Enter(t.Context())
	require.False(t, txscope.Open(t.Context()))
	leave()
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	ctx := txscope.New(t.Context())
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			leave := txscope.Enter(ctx)
			if !txscope.Open(ctx) {
				t.Error("an open transaction was not seen")
			}
			leave()
		})
	}
	wg.Wait()
	require.False(t, txscope.Open(ctx))
}
