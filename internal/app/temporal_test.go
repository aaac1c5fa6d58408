package app

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/config"
)

func TestOnlyWhatCrossesANetworkIsCompressed(t *testing.T) {
	t.Parallel()
	for address, compressed := range map[string]bool{
		"": false, "localhost:7233": false, "127.0.0.1:7233": false, "[::1]:7233": false,
		"temporal.example.com:7233": true, "10.0.0.7:7233": true, "localhost.example.com:7233": true, "dns:///frontend": true,
	} {
		a := New(Env{Env: config.Env{Lookup: func(string) (string, bool) { return "", false }}, Environ: []string{"TEMPORAL_ADDRESS=" + address}}, config.Config{})
		options, err := a.temporalOptions()
		require.NoError(t, err)
		_, plain := options.ConnectionOptions.GrpcCompression.(*client.GrpcCompressionNone)
		require.Equal(t, compressed, !plain, address)
	}
}
