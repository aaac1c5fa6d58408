package demo_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/demo"
	"github.com/tutti-dev/tutti/internal/txscope"
)

func ask(t *testing.T, ep provider.Endpoint, req provider.Request) provider.Outcome {
	t.Helper()
	out, err := demo.New().Call(t.Context(), ep, req)
	require.NoError(t, err)
	return out
}

func TestItSaysThatItIsADemo(t *testing.T) {
	t.Parallel()
	req := provider.Request{
		Model: "echo", System: "\n# Reviewer\nYou doubt everything.",
		User: "<tutti:request>\nAdd a cache to the parser.\n</tutti:request>\n\n<tutti:result task=\"a\">\ntext\n</tutti:result>\n\n<tutti:result task=\"b\">\ntext\n</tutti:result>\n",
	}
	out := ask(t, provider.Endpoint{}, req)
	require.Equal(t, provider.OK, out.Class)
	for _, want := range []string{
		"demo echo", "No model was asked", "specialist: Reviewer", "it begins: Add a cache to the parser.\n", "earlier tasks in it: 2", "11 lines",
	} {
		require.Contains(t, out.Text, want)
	}
	require.Equal(t, "echo", out.ResolvedModel)
	require.Equal(t, int64(len(req.System)+len(req.User)+3)/4, *out.Usage.InputTokens)
	require.Equal(t, int64(len(out.Text)+3)/4, *out.Usage.OutputTokens)
	require.Nil(t, out.Usage.ReasoningTokens)
	require.Equal(t, out.Text, ask(t, provider.Endpoint{}, req).Text, "it is deterministic")
}

func TestExcerptsAreBounded(t *testing.T) {
	t.Parallel()
	out := ask(t, provider.Endpoint{}, provider.Request{Model: "echo", System: strings.Repeat("ä", 9000), User: strings.Repeat("wörter ", 200_000)})
	require.Less(t, len(out.Text), 2000)
	require.Contains(t, out.Text, "…")
	empty := ask(t, provider.Endpoint{}, provider.Request{Model: "echo"})
	require.Contains(t, empty.Text, "(none)")
	require.Contains(t, empty.Text, "0 bytes, 0 lines")
}

func TestUnknownModel(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"", "gpt-4o", "echo-", "echo-x", "echo--5", "echo-99999999999"} {
		out := ask(t, provider.Endpoint{}, provider.Request{Model: model})
		require.Equal(t, provider.ModelNotFound, out.Class, model)
		require.Empty(t, out.Text)
	}
}

func TestLatencyIsCancelledAndBounded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := demo.New().Call(ctx, provider.Endpoint{}, provider.Request{Model: "echo-600000"})
	require.ErrorIs(t, err, context.Canceled)

	out := ask(t, provider.Endpoint{Timeout: time.Millisecond}, provider.Request{Model: "echo-600000"})
	require.Equal(t, provider.Timeout, out.Class)

	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	out, err = demo.New().Call(ctx, provider.Endpoint{}, provider.Request{Model: "echo-600000"})
	require.NoError(t, err)
	require.Equal(t, provider.Timeout, out.Class)

	out = ask(t, provider.Endpoint{}, provider.Request{Model: "echo-5"})
	require.GreaterOrEqual(t, out.Elapsed, 5*time.Millisecond)
}

func TestItRefusesInATransaction(t *testing.T) {
	t.Parallel()
	outer := txscope.New(t.Context())
	defer txscope.Enter(outer)()
	_, err := demo.New().Call(outer, provider.Endpoint{}, provider.Request{Model: "echo"})
	require.ErrorIs(t, err, provider.ErrTransactionOpen)
}
