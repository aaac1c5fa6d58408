package mcp_test

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/mcp"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// A server answers a probe without Temporal and leaves nothing behind.
func TestAProbeOfTheRealServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nowhere := listener.Addr().String()
	require.NoError(t, listener.Close())
	home := t.TempDir()
	offered, err := mcp.Probe{
		Command: []string{testenv.Binary(t), "mcp"}, Dir: home, Version: "test",
		Env: []string{"HOME=" + home, "TEMPORAL_ADDRESS=" + nowhere},
	}.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 7, offered.Tools)
	require.Equal(t, 3, offered.Prompts)
	require.NotEmpty(t, offered.Protocol)
	require.Less(t, offered.Took, 2*time.Second)
	left, err := os.ReadDir(home)
	require.NoError(t, err)
	require.Empty(t, left)
}

// What is no server of ours, and what it is told as.
func TestAProbeOfWhatIsNoServer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command []string
		says    string
	}{
		"is not there":        {[]string{"/nowhere/tutti"}, "no such file"},
		"says why and ends":   {[]string{"sh", "-c", "echo first >&2; echo tutti: bad key >&2; exit 4"}, "it said: tutti: bad key"},
		"ends in silence":     {[]string{"true"}, "begin a session"},
		"speaks another way":  {[]string{"sh", "-c", "echo hello; cat >/dev/null"}, "begin a session"},
		"dies in the middle":  {[]string{"sh", "-c", "read -r line; kill -9 $$"}, "begin a session"},
		"answers with errors": {[]string{"sh", "-c", `n=0; while read -r line; do n=$((n+1)); echo "{\"jsonrpc\":\"2.0\",\"id\":$n,\"error\":{\"code\":-32603,\"message\":\"no\"}}"; done`}, "begin a session"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mcp.Probe{Command: c.command, Env: os.Environ(), Version: "test"}.Run(t.Context())
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A server that never answers is given up, and does not stay.
func TestAProbeOfAServerThatHangs(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := mcp.Probe{Command: []string{"sh", "-c", "cat >/dev/null"}, Version: "test"}.Run(ctx)
	require.ErrorContains(t, err, "no answer")
	require.Less(t, time.Since(began), 5*time.Second)
}
