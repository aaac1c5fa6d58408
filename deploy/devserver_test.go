package deploy

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDevServerArguments(t *testing.T) {
	t.Parallel()
	config, err := DevServer()
	require.NoError(t, err)

	require.Equal(t, []string{
		"server", "start-dev",
		"--ip", "127.0.0.1",
		"--port", "7233",
		"--log-level", "warn",
		"--ui-port", "8233",
		"--dynamic-config-value", "history.transferProcessorMaxPollRPS=2000",
		"--dynamic-config-value", "system.enableActivityEagerExecution=true",
		"--search-attribute", "TuttiBackend=Keyword",
		"--search-attribute", "TuttiChain=Keyword",
		"--search-attribute", "TuttiTenant=Keyword",
	}, config.Args(DevServerOptions{}))
}

func TestDevServerOptionsChangeTheArguments(t *testing.T) {
	t.Parallel()
	config, err := DevServer()
	require.NoError(t, err)

	args := config.Args(DevServerOptions{
		Port: 17233, Headless: true, DBFile: "temporal.db", Namespaces: []string{"one", "two"},
	})

	for _, pair := range [][]string{
		{"--port", "17233"},
		{"--db-filename", "temporal.db"},
		{"--sqlite-pragma", "journal_mode=wal"},
		{"--sqlite-pragma", "synchronous=normal"},
		{"--namespace", "one"},
		{"--namespace", "two"},
	} {
		require.Truef(t, hasPair(args, pair[0], pair[1]), "%v is missing in %v", pair, args)
	}
	require.Contains(t, args, "--headless")
	require.NotContains(t, args, "--ui-port", "a server without a Web UI needs no port for it")
}

// The server takes each value as JSON, and only of these two kinds is the YAML text the same.
func TestDynamicConfigIsBooleansAndNumbers(t *testing.T) {
	t.Parallel()
	config, err := DevServer()
	require.NoError(t, err)
	require.NotEmpty(t, config.DynamicConfig)
	for key, value := range config.DynamicConfig {
		switch value.(type) {
		case bool, uint64, int64, float64:
		default:
			t.Errorf("%s is a %T", key, value)
		}
	}
}

func TestInstallCommandIsPinned(t *testing.T) {
	t.Parallel()
	config, err := DevServer()
	require.NoError(t, err)
	require.Regexp(t, `^go install github\.com/temporalio/cli/cmd/temporal@v\d+\.\d+\.\d+$`, config.InstallCommand())
}

func hasPair(args []string, flag, value string) bool {
	for i := range args[:len(args)-1] {
		if slices.Equal(args[i:i+2], []string{flag, value}) {
			return true
		}
	}
	return false
}
