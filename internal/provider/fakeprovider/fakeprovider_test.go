package fakeprovider_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
)

func chat(ctx context.Context, c *fakeprovider.Client, path, model string) (status int, body string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL()+path,
		strings.NewReader(`{"model":"`+model+`","system":"s","messages":[{"role":"user","content":[{"type":"text","text":"two words"}]}]}`))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("X-Api-Key", "k")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	return response.StatusCode, string(raw), err
}

func TestEchoInBothDialects(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	for path, want := range map[string]string{"/v1/chat/completions": "dialect=openai", "/x/messages": "dialect=anthropic"} {
		status, first, err := chat(t.Context(), fake, path, "echo")
		require.NoError(t, err)
		require.Equal(t, 200, status)
		require.Contains(t, first, want)
		require.Contains(t, first, "user_words=2")
		_, second, err := chat(t.Context(), fake, path, "echo")
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
	stats, err := fake.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, 4, stats.Model("echo").Calls)
	require.Equal(t, 4, stats.Model("echo").Statuses["200"])
	require.Equal(t, 4, stats.CredentialHeaders["x-api-key"])
	require.Zero(t, stats.Model("never").Calls)
}

func TestHoldUntilReleased(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{})
	var wg sync.WaitGroup
	answered := make(chan string, 3)
	for _, model := range []string{"hold-1", "hold-1", "hold-2"} {
		wg.Go(func() {
			status, _, err := chat(t.Context(), fake, "/v1/chat/completions", model)
			if err != nil || status != 200 {
				t.Errorf("%s: status %d, %v", model, status, err)
			}
			answered <- model
		})
	}
	stats, err := fake.Await(t.Context(), "hold-1", 2)
	require.NoError(t, err)
	require.Equal(t, 2, stats.Model("hold-1").InFlight)
	_, err = fake.Await(t.Context(), "hold-2", 1)
	require.NoError(t, err)
	require.Empty(t, answered)

	require.NoError(t, fake.Release(t.Context(), "hold-1"))
	require.Equal(t, "hold-1", <-answered)
	require.Equal(t, "hold-1", <-answered)
	require.Empty(t, answered, "hold-2 is still held")
	require.NoError(t, fake.Release(t.Context(), ""))
	require.Equal(t, "hold-2", <-answered)
	wg.Wait()

	_, _, err = chat(t.Context(), fake, "/v1/chat/completions", "hold-1")
	require.NoError(t, err, "what was released stays released")
	require.NoError(t, fake.Reset(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err = chat(ctx, fake, "/v1/chat/completions", "hold-1")
	require.ErrorIs(t, err, context.DeadlineExceeded, "after a reset it is held again")
}

func TestFailFirstAndUnknownModels(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Start(t, fakeprovider.Options{FailFirst: 2})
	for _, want := range []int{503, 503, 200} {
		status, _, err := chat(t.Context(), fake, "/v1/chat/completions", "echo")
		require.NoError(t, err)
		require.Equal(t, want, status)
	}
	stats, err := fake.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, stats.Model("echo").Forced503)

	plain := fakeprovider.Start(t, fakeprovider.Options{})
	for _, model := range []string{"gpt", "case-none", "hold-x", "echo--1"} {
		status, _, err := chat(t.Context(), plain, "/v1/chat/completions", model)
		require.NoError(t, err)
		require.Equal(t, 404, status, model)
	}
	_, body, err := chat(t.Context(), plain, "/v1/chat/completions", "fill-100000")
	require.NoError(t, err)
	require.Greater(t, len(body), 100_000)
}

func TestListenRefuses(t *testing.T) {
	t.Parallel()
	_, err := fakeprovider.Listen(fakeprovider.Options{Addr: "0.0.0.0:0"})
	require.ErrorContains(t, err, "loopback")
	_, err = fakeprovider.Listen(fakeprovider.Options{Corpus: []string{"/nonexistent"}})
	require.Error(t, err)
	double := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(double, []byte(`[{"id":"a"},{"id":"a"}]`), 0o600))
	_, err = fakeprovider.Listen(fakeprovider.Options{Corpus: []string{double}})
	require.ErrorContains(t, err, "twice")
}

func TestLaunchRunsAProcessOfItsOwn(t *testing.T) {
	t.Parallel()
	fake := fakeprovider.Launch(t, fakeprovider.Options{Corpus: []string{"../testdata/corpus.json"}})
	status, body, err := chat(t.Context(), fake, "/v1/chat/completions", "openrouter/case-ok-plain-openai")
	require.NoError(t, err)
	require.Equal(t, 200, status)
	require.Contains(t, body, "All good here.")
	stats, err := fake.Await(t.Context(), "case-ok-plain-openai", 1)
	require.NoError(t, err)
	require.Equal(t, 1, stats.Total.Calls)
}
