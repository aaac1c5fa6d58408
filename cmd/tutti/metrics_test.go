package main_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// The lag of the mirror is a metric: it grows while the database is away, and is
// gone when the mirror has caught up.
func TestTheMirrorsLagIsAMetric(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, proxy := s.postgres()
	port, err := testenv.FreePort()
	require.NoError(t, err)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	s.worker("--metrics", address)
	metric := func(name string) string {
		response, err := http.Get("http://" + address + "/metrics")
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		for line := range strings.Lines(string(body)) {
			if value, ok := strings.CutPrefix(line, name+" "); ok {
				return strings.TrimSpace(value)
			}
		}
		t.Fatalf("no %s in %s", name, body)
		return ""
	}
	id := s.detach("x", "--chain", "engineer", "--backend", "provider", "--model", "fake/hold-1")
	s.called("hold-1", 1)
	proxy.Hold()
	require.NoError(t, s.fake.Release(t.Context(), ""))
	testenv.Eventually(t, patience, "the mirror lags", func() error {
		if v := metric("tutti_projection_lag_seconds"); v == "0" {
			return errNotYet("no lag")
		}
		return nil
	})
	proxy.Cut()
	proxy.Flow()
	s.finish(id)
	testenv.Eventually(t, patience, "the mirror has caught up", func() error {
		if v := metric("tutti_projection_dirty_runs"); v != "0" {
			return errNotYet(v + " dirty runs")
		}
		return nil
	})
}
