package app

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/provider"
)

// What the configuration says of a provider reaches the wire, under what the
// specialist says, and stays with that provider.
func TestAProvidersDefaultsAreSent(t *testing.T) {
	t.Parallel()
	bodies := make(chan map[string]any, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		bodies <- body
		_, _ = io.WriteString(w, `{"id":"x","model":"m","choices":[{"finish_reason":"stop","message":{"content":"yes"}}]}`)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tutti.yaml"), []byte("providers:\n"+
		"  local: {dialect: openai, baseURL: \""+server.URL+"/v1\", temperature: 0.5, extras: {top_k: 20, seed: 1}}\n"+
		"  plain: {dialect: openai, baseURL: \""+server.URL+"/v1\"}\n"), 0o600))
	env := config.Env{HomeDir: dir, WorkDir: dir, User: "ada", Lookup: func(string) (string, bool) { return "", false }}
	c, err := config.Load(env, config.Flags{})
	require.NoError(t, err)
	a := New(Env{Env: env}, c)
	ask := func(name string, req provider.Request) map[string]any {
		endpoint, err := a.Providers()[name].Endpoint(env.Lookup, "")
		require.NoError(t, err)
		req.Model, req.User = "m", "hello"
		out, err := caller().Call(t.Context(), endpoint, req)
		require.NoError(t, err)
		require.Equal(t, "yes", out.Text)
		return <-bodies
	}

	sent := ask("local", provider.Request{})
	require.InDelta(t, 0.5, sent["temperature"], 0)
	require.InDelta(t, 20, sent["top_k"], 0)
	cold := 0.0
	sent = ask("local", provider.Request{Temperature: &cold, Extras: map[string]any{"seed": 2}})
	require.InDelta(t, 0, sent["temperature"], 0)
	require.InDelta(t, 2, sent["seed"], 0)
	require.InDelta(t, 20, sent["top_k"], 0)
	sent = ask("plain", provider.Request{})
	require.NotContains(t, sent, "top_k")
	require.NotContains(t, sent, "temperature")
}
