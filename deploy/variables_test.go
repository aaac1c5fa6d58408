package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/contrib/envconfig"

	"github.com/tutti-dev/tutti/internal/config"
)

// asked is an empty environment that notes which variables are looked for.
type asked struct{ names map[string]bool }

// Environ implements envconfig.EnvLookup.
func (a asked) Environ() []string { return nil }

// LookupEnv implements envconfig.EnvLookup.
func (a asked) LookupEnv(name string) (string, bool) {
	a.names[name] = true
	return "", false
}

// knownToTemporal are the variables that Temporal's own client configuration reads.
func knownToTemporal(t *testing.T) map[string]bool {
	t.Helper()
	a := asked{names: map[string]bool{}}
	empty := filepath.Join(t.TempDir(), "temporal.toml")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	_, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{EnvLookup: a, ConfigFilePath: empty})
	require.NoError(t, err)
	// It is not looked for where a path is given.
	a.names["TEMPORAL_CONFIG_FILE"] = true
	require.True(t, a.names["TEMPORAL_ADDRESS"], "%v", a.names)
	return a.names
}

// ofScripts are read by a script here and never by the binary.
var ofScripts = map[string]string{"TUTTI_DEMO_MODEL": "demo.sh"}

func TestEveryVariableNamedHereIsKnown(t *testing.T) {
	t.Parallel()
	temporal := knownToTemporal(t)
	names := regexp.MustCompile(`\b(?:TUTTI|TEMPORAL)_[A-Z0-9_]+\b`)
	seen := map[string]bool{}
	files, err := filepath.Glob("*")
	require.NoError(t, err)
	scripts, err := filepath.Glob("sql/*")
	require.NoError(t, err)
	for _, file := range slices.Concat(files, scripts, []string{"../README.md"}) {
		if filepath.Ext(file) == ".go" || file == "sql" {
			continue
		}
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range names.FindAllString(string(content), -1) {
			seen[name] = true
			known := temporal[name] || ofScripts[name] == file ||
				name[:6] == "TUTTI_" && len(config.UnknownVariables([]string{name + "=x"})) == 0
			require.Truef(t, known, "%s: nobody reads %s", file, name)
		}
	}
	for _, name := range []string{"TUTTI_STORE", "TUTTI_DATA_DIR", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE"} {
		require.True(t, seen[name], name)
	}
	require.Len(t, config.UnknownVariables([]string{"TUTTI_STROE=x"}), 1, "an unknown one would be noticed")
}

func TestTheComposeFilesVariablesOfTheBinaryAreAllKnown(t *testing.T) {
	t.Parallel()
	providers := []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "DATABASE_URL"}
	temporal := knownToTemporal(t)
	for service, s := range ours(t) {
		for name := range s.Environment {
			known := temporal[name] || slices.Contains(providers, name) ||
				len(config.UnknownVariables([]string{name + "=x"})) == 0 && name[:6] == "TUTTI_"
			require.True(t, known, "%s: %s", service, name)
		}
	}
}
