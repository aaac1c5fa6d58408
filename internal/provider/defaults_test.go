package provider_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

// recorder keeps the request that it was asked.
type recorder struct{ asked provider.Request }

func (r *recorder) Call(_ context.Context, _ provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	r.asked = req
	return provider.Answer("ok", "m", provider.Usage{}), nil
}

func TestARequestWinsOverItsProvidersDefaults(t *testing.T) {
	t.Parallel()
	hot, cold := 1.5, 0.0
	extras := map[string]any{"top_k": 20, "seed": 1}
	ep := provider.Endpoint{Dialect: "openai", Defaults: provider.Defaults{Temperature: &hot, Extras: extras}}
	for name, tc := range map[string]struct {
		req         provider.Request
		temperature *float64
		extras      map[string]any
	}{
		"silent":            {provider.Request{}, &hot, map[string]any{"top_k": 20, "seed": 1}},
		"an explicit zero":  {provider.Request{Temperature: &cold}, &cold, map[string]any{"top_k": 20, "seed": 1}},
		"member by member":  {provider.Request{Extras: map[string]any{"seed": 2, "x": true}}, &hot, map[string]any{"top_k": 20, "seed": 2, "x": true}},
		"null is a wish":    {provider.Request{Extras: map[string]any{"seed": nil}}, &hot, map[string]any{"top_k": 20, "seed": nil}},
		"the rest is as is": {provider.Request{Model: "m", MaxTokens: 7}, &hot, map[string]any{"top_k": 20, "seed": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{}
			_, err := provider.ByDialect{"openai": r}.Call(t.Context(), ep, tc.req)
			require.NoError(t, err)
			require.Equal(t, tc.temperature, r.asked.Temperature)
			require.Equal(t, tc.extras, r.asked.Extras)
			require.Equal(t, tc.req.Model, r.asked.Model)
			require.Equal(t, tc.req.MaxTokens, r.asked.MaxTokens)
		})
	}
	require.Equal(t, map[string]any{"top_k": 20, "seed": 1}, extras, "the configuration is not changed by a call")
}

func TestNoDefaultsChangeNothing(t *testing.T) {
	t.Parallel()
	req := provider.Request{Model: "m"}
	require.Equal(t, req, provider.Defaults{}.Fill(req))
}
