package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func checkServer(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer good" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"bad key `+r.Header.Get("Authorization")+`","code":"invalid_api_key"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"m"}]}`)
	})
	mux.HandleFunc("GET /v1/key", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":{"label":"k"}}`)
	})
	mux.HandleFunc("GET /page/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<html>welcome</html>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestCheck(t *testing.T) {
	t.Parallel()
	url := checkServer(t)
	callers := provider.ByDialect{provider.DialectOpenAI: newClient(t)}
	for _, c := range []struct {
		name, base, key string
		want            provider.Class
	}{
		{"acme", "/v1", "good", provider.OK},
		{"acme", "/v1", "sk-bad-bad-bad", provider.Auth},
		{"acme", "/v1", "", provider.Auth},
		{"openrouter", "/v1", "any", provider.OK},
		{"acme", "/page", "good", provider.MalformedBody},
		{"acme", "/elsewhere", "good", provider.BadRequest},
	} {
		out, err := callers.Check(t.Context(), provider.Endpoint{Name: c.name, Dialect: provider.DialectOpenAI, BaseURL: url + c.base, APIKey: c.key})
		require.NoError(t, err)
		require.Equal(t, c.want, out.Class, c)
		require.Empty(t, out.Text)
		require.NotContains(t, out.Message(c.name), "sk-bad")
	}
	out, err := callers.Check(t.Context(), provider.Endpoint{Dialect: "other"})
	require.NoError(t, err)
	require.Equal(t, "unknown_dialect", out.ErrCode)
	out, err = newClient(t).Check(t.Context(), provider.Endpoint{BaseURL: "nowhere"})
	require.NoError(t, err)
	require.Equal(t, "base_url", out.ErrCode)
}
