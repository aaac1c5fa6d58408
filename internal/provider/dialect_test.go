package provider_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

type callerFunc func(context.Context, provider.Endpoint, provider.Request) (provider.Outcome, error)

func (f callerFunc) Call(ctx context.Context, ep provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	return f(ctx, ep, req)
}

func TestByDialect(t *testing.T) {
	t.Parallel()
	callers := provider.ByDialect{
		"b": callerFunc(func(_ context.Context, _ provider.Endpoint, req provider.Request) (provider.Outcome, error) {
			return provider.Answer("asked for "+req.Model, req.Model, provider.Usage{}), nil
		}),
		"a": nil,
	}
	out, err := callers.Call(t.Context(), provider.Endpoint{Dialect: "b"}, provider.Request{Model: "m"})
	require.NoError(t, err)
	require.Equal(t, "asked for m", out.Text)

	out, err = callers.Call(t.Context(), provider.Endpoint{Dialect: "c"}, provider.Request{})
	require.NoError(t, err)
	require.Equal(t, provider.BadRequest, out.Class)
	require.Equal(t, "unknown_dialect", out.ErrCode)
	require.Equal(t, "a, b", callers.String())
}
