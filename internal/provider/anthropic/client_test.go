package anthropic_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/txscope"
)

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	type seen struct {
		path   string
		header http.Header
		body   map[string]any
	}
	got := make(chan seen, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := seen{path: r.URL.Path, header: r.Header}
		_ = json.NewDecoder(r.Body).Decode(&s.body)
		got <- s
		_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}`)
	}))
	t.Cleanup(server.Close)
	out, err := newClient(t).Call(t.Context(), provider.Endpoint{
		BaseURL: server.URL, APIKey: "k", Headers: map[string]string{"Anthropic-Beta": "b1", "Idempotency-Key": "never"},
	}, provider.Request{Model: "claude-x", System: "s", User: "u"})
	require.NoError(t, err)
	require.Equal(t, "hi", out.Text)
	s := <-got
	require.Equal(t, "/v1/messages", s.path)
	require.Equal(t, "k", s.header.Get("X-Api-Key"))
	require.Equal(t, "2023-06-01", s.header.Get("Anthropic-Version"))
	require.Equal(t, "b1", s.header.Get("Anthropic-Beta"))
	require.Empty(t, s.header.Get("Authorization"))
	require.Empty(t, s.header.Get("Idempotency-Key"))
	require.Equal(t, "s", s.body["system"])
	require.EqualValues(t, provider.DefaultMaxTokens, s.body["max_tokens"])

	_, err = newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: server.URL}, provider.Request{Model: "m", User: "u"})
	require.NoError(t, err)
	require.Empty(t, (<-got).header.Get("X-Api-Key"))
}

func TestNotSent(t *testing.T) {
	t.Parallel()
	out, err := newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: "nowhere"}, provider.Request{Model: "m"})
	require.NoError(t, err)
	require.Equal(t, "base_url", out.ErrCode)
	out, err = newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: "http://127.0.0.1:1"},
		provider.Request{Model: "m", Extras: map[string]any{"f": func() {}}})
	require.NoError(t, err)
	require.Equal(t, "extras", out.ErrCode)
	require.Equal(t, provider.BadRequest, out.Class)
}

func TestCancellationAndTransactionAreErrors(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	client := newClient(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := client.Call(ctx, provider.Endpoint{BaseURL: fake.BaseURL()}, provider.Request{Model: "hold-1", User: "u"})
		done <- err
	}()
	_, err := fake.Await(t.Context(), "hold-1", 1)
	require.NoError(t, err)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)

	outer := txscope.New(t.Context())
	defer txscope.Enter(outer)()
	_, err = client.Call(outer, provider.Endpoint{BaseURL: fake.BaseURL()}, provider.Request{Model: "echo", User: "u"})
	require.ErrorIs(t, err, provider.ErrTransactionOpen)
}

func TestCheck(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	out, err := newClient(t).Check(t.Context(), provider.Endpoint{Name: "acme", BaseURL: fake.URL(), APIKey: "k"})
	require.NoError(t, err)
	require.Equal(t, provider.OK, out.Class)
	out, err = newClient(t).Check(t.Context(), provider.Endpoint{BaseURL: "nowhere"})
	require.NoError(t, err)
	require.Equal(t, "base_url", out.ErrCode)
}
