package openai_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// seen is what a server got.
type seen struct {
	url    string
	header http.Header
	body   map[string]any
}

func capture(t *testing.T) (url string, last func() seen) {
	t.Helper()
	var got atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := seen{url: r.URL.String(), header: r.Header}
		_ = json.NewDecoder(r.Body).Decode(&s.body)
		got.Store(s)
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() seen { return got.Load().(seen) }
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	url, last := capture(t)
	zero := 0.0
	out, err := newClient(t).Call(t.Context(), provider.Endpoint{
		BaseURL: url + "/deep/path?api-version=7", APIKey: "k",
		Headers: map[string]string{"Api-Key": "azure", "Idempotency-Key": "never"},
	}, provider.Request{Model: "m", User: "u", Temperature: &zero, Extras: map[string]any{"top_k": 3}})
	require.NoError(t, err)
	require.Equal(t, "hi", out.Text)
	require.Equal(t, "/deep/path/chat/completions?api-version=7", last().url)
	require.Equal(t, "Bearer k", last().header.Get("Authorization"))
	require.Equal(t, "azure", last().header.Get("Api-Key"))
	require.Empty(t, last().header.Get("Idempotency-Key"))
	require.EqualValues(t, 0, last().body["temperature"])
	require.EqualValues(t, 3, last().body["top_k"])
}

func TestWithoutAKeyNoCredentialIsSent(t *testing.T) {
	t.Parallel()
	url, last := capture(t)
	_, err := newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: url}, provider.Request{Model: "m", User: "u"})
	require.NoError(t, err)
	require.Empty(t, last().header.Get("Authorization"))
}

func TestReasoningModelWithCeilingIsSent(t *testing.T) {
	t.Parallel()
	url, last := capture(t)
	warm := 0.2
	for _, model := range []string{"o1", "o3-mini", "gpt-5-nano", "gpt-6-sol"} {
		out, err := newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: url},
			provider.Request{Model: model, User: "u", MaxTokens: 9, Temperature: &warm})
		require.NoError(t, err)
		require.Equal(t, provider.OK, out.Class, "go-openai's own check of %s must not refuse it", model)
		require.EqualValues(t, 9, last().body["max_completion_tokens"])
	}
}

func TestNotSent(t *testing.T) {
	t.Parallel()
	for code, call := range map[string]func() (provider.Outcome, error){
		"base_url": func() (provider.Outcome, error) {
			return newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: "nowhere"}, provider.Request{Model: "m"})
		},
		"go_openai_validation": func() (provider.Outcome, error) {
			return newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: "http://127.0.0.1:1"}, provider.Request{Model: "text-davinci-003"})
		},
		"extras": func() (provider.Outcome, error) {
			return newClient(t).Call(t.Context(), provider.Endpoint{BaseURL: "http://127.0.0.1:1"},
				provider.Request{Model: "m", Extras: map[string]any{"f": func() {}}})
		},
	} {
		out, err := call()
		require.NoError(t, err, code)
		require.Equal(t, provider.BadRequest, out.Class, code)
		require.Equal(t, code, out.ErrCode)
		require.False(t, out.Retryable())
	}
}

func TestCancellationIsAnError(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	client := newClient(t)
	go func() {
		_, err := client.Call(ctx, provider.Endpoint{BaseURL: fake.BaseURL()}, provider.Request{Model: "hold-1", User: "u"})
		done <- err
	}()
	_, err := fake.Await(t.Context(), "hold-1", 1)
	require.NoError(t, err)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
}

func TestTransactionRefuses(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	outer := txscope.New(t.Context())
	defer txscope.Enter(outer)()
	_, err := newClient(t).Call(outer, provider.Endpoint{BaseURL: fake.BaseURL()}, provider.Request{Model: "echo", User: "u"})
	require.ErrorIs(t, err, provider.ErrTransactionOpen)
	stats, err := fake.Stats(t.Context())
	require.NoError(t, err)
	require.Zero(t, stats.Total.Calls)
}
