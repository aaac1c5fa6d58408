package telemetry_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/telemetry"
)

func TestGaugesAreReadWhenSomebodyAsks(t *testing.T) {
	t.Parallel()
	value := 1.0
	s, err := telemetry.Serve(t.Context(), ":0", telemetry.Gauge{Name: "tutti_test", Help: "A number.", Read: func() float64 { return value }})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.Contains(t, s.Address(), "127.0.0.1:", "an address without a host is loopback")
	value = 42
	response, err := http.Get("http://" + s.Address() + "/metrics")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(body), "tutti_test 42")
}

func TestAnAddressThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	_, err := telemetry.Serve(t.Context(), "nonsense")
	require.ErrorContains(t, err, "127.0.0.1:9464")
}
