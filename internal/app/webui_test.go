package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
)

// at is an app that talks to a Temporal at this address.
func at(t *testing.T, dataDir, address string) *App {
	t.Helper()
	return New(Env{
		Environ: []string{"TEMPORAL_ADDRESS=" + address, "TEMPORAL_CONFIG_FILE=" + os.DevNull},
		Env:     config.Env{Lookup: func(string) (string, bool) { return "", false }},
	}, config.Config{DataDir: dataDir})
}

func TestTheWebUIIsWhereDevWroteItDown(t *testing.T) {
	t.Parallel()
	const page = "/namespaces/default/workflows/run-1/t-1/history"
	dir := t.TempDir()
	dev, other := at(t, dir, "127.0.0.1:7300"), at(t, dir, "127.0.0.1:7233")
	require.Equal(t, "http://127.0.0.1:8300"+page, dev.WebUI("run-1", "t-1"))

	forget := dev.recordUI(7300, "127.0.0.1:9999")
	require.Equal(t, "http://127.0.0.1:9999"+page, dev.WebUI("run-1", "t-1"))
	require.Equal(t, "http://127.0.0.1:8233"+page, other.WebUI("run-1", "t-1"), "it is about one server only")
	require.Empty(t, at(t, dir, "temporal.example:7300").WebUI("run-1", "t-1"), "and about this machine")

	forget()
	require.Equal(t, "http://127.0.0.1:8300"+page, dev.WebUI("run-1", "t-1"))
	require.NoFileExists(t, filepath.Join(dir, "webui"))

	for _, broken := range []string{"", "7300", "7300 x", "7300 http://evil/", "x y z"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "webui"), []byte(broken), 0o600))
		require.Equal(t, "http://127.0.0.1:8300"+page, dev.WebUI("run-1", "t-1"), broken)
	}
	at(t, filepath.Join(dir, "none"), "x").recordUI(1, "a:1")() // No directory is no reason to fail.
}
