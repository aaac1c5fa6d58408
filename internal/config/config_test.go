package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// place is a home and a working directory of a test's own.
type place struct {
	t    *testing.T
	vars map[string]string
	env  config.Env
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, vars: map[string]string{}}
	p.env = config.Env{
		Lookup:  func(name string) (string, bool) { value, ok := p.vars[name]; return value, ok },
		HomeDir: filepath.Join(dir, "home"), WorkDir: filepath.Join(dir, "work"), User: "alice",
	}
	require.NoError(t, os.MkdirAll(p.env.WorkDir, 0o700))
	return p
}

// write puts a file below the parent of home and work.
func (p *place) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(filepath.Dir(p.env.WorkDir), name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(p.t, os.WriteFile(path, []byte(content), 0o600))
}

func (p *place) load(flags config.Flags) config.Config {
	p.t.Helper()
	c, err := config.Load(p.env, flags)
	require.NoError(p.t, err)
	return c
}

// refused loads and returns the refusal in words.
func (p *place) refused(flags config.Flags) string {
	p.t.Helper()
	_, err := config.Load(p.env, flags)
	var refusal *config.Error
	require.ErrorAs(p.t, err, &refusal)
	require.NotContains(p.t, err.Error(), "\n")
	return err.Error()
}

const documented = `
mode: team                     # solo | team | enterprise
tenant: acme
principal: bob
backend: provider
model: openrouter/anthropic/claude-sonnet-4.5
models: {sonnet: anthropic/claude-sonnet-4.5}
dataDir: ~/data
store: sqlite
taskQueue: tutti-test
providers:
  local-vllm:
    dialect: openai
    baseURL: http://127.0.0.1:8000/v1/
    apiKeyEnv: VLLM_KEY
    concurrency: 8
    callsPerSecond: 5
    timeout: 90s
    retry: {maxAttempts: 2, initialBackoff: 0s, maxBackoff: 20s}
  files: {dialect: anthropic, baseURL: "https://gateway.example/a", keyFile: keys/gateway}
  ollama:
limits: {park: 24h}
budget: {maxCostUsd: 1.00, maxTokens: 0}
host: {execution: pickup, staleAfter: 10m, resultTimeout: 2h}
deployment: {name: tutti, buildID: "1.0"}
`

func TestEveryDocumentedSetting(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("work/tutti.yaml", documented)
	c := p.load(config.Flags{})

	require.Equal(t, filepath.Join(p.env.WorkDir, "tutti.yaml"), c.File)
	require.Equal(t, config.Team, c.Mode)
	require.Equal(t, "acme", c.Tenant)
	require.Equal(t, "bob", c.Principal)
	require.Equal(t, run.BackendProvider, c.Backend)
	require.Equal(t, "openrouter/anthropic/claude-sonnet-4.5", c.Model)
	require.Equal(t, map[string]string{"sonnet": "anthropic/claude-sonnet-4.5"}, c.Models)
	require.Equal(t, filepath.Join(p.env.HomeDir, "data"), c.DataDir)
	require.Equal(t, "sqlite", c.Store)
	require.Equal(t, "tutti-test", c.TaskQueue)
	require.Equal(t, 24*time.Hour, c.Limits.Park)
	require.Equal(t, "1.00", *c.Budget.MaxCostUSD, "as it is written, not as a binary fraction")
	require.Equal(t, int64(0), *c.Budget.MaxTokens)
	require.Equal(t, config.Host{Execution: config.ExecutionPickup, StaleAfter: 10 * time.Minute, ResultTimeout: 2 * time.Hour}, c.Host)
	require.Equal(t, config.Deployment{Name: "tutti", BuildID: "1.0"}, c.Deployment)
	require.True(t, c.Deployment.IsSet())

	usual := config.Retry{MaxAttempts: 3, InitialBackoff: 500 * time.Millisecond, MaxBackoff: 20 * time.Second}
	require.Equal(t, map[string]config.Provider{
		"local-vllm": {
			Name: "local-vllm", Dialect: "openai", BaseURL: "http://127.0.0.1:8000/v1", APIKeyEnv: "VLLM_KEY",
			Concurrency: 8, CallsPerSecond: 5, Timeout: 90 * time.Second,
			Retry: config.Retry{MaxAttempts: 2, InitialBackoff: 0, MaxBackoff: 20 * time.Second},
		},
		"files": {
			Name: "files", Dialect: "anthropic", BaseURL: "https://gateway.example/a",
			KeyFile: filepath.Join(p.env.WorkDir, "keys", "gateway"), Timeout: 120 * time.Second, Retry: usual,
		},
		"ollama": {Name: "ollama", Timeout: 120 * time.Second, Retry: usual},
	}, c.Providers)
	require.Equal(t, c.Providers["files"], c.Provider("files"))
	require.Equal(t, config.Provider{Name: "openai", Timeout: 120 * time.Second, Retry: usual}, c.Provider("openai"))
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, content := range []string{"", "# nothing\n", "---\n", "budget:\nproviders:\nhost: {}\nmodels:\n", "\uFEFF# with a mark\r\n"} {
		p.write("work/tutti.yaml", content)
		c := p.load(config.Flags{})
		require.Equal(t, config.Solo, c.Mode)
		require.Equal(t, "default", c.Tenant)
		require.Equal(t, "alice", c.Principal)
		require.Empty(t, c.Backend)
		require.Empty(t, c.Store)
		require.Empty(t, c.Providers)
		require.Equal(t, "tutti", c.TaskQueue)
		require.Equal(t, filepath.Join(p.env.HomeDir, ".local", "share", "tutti"), c.DataDir)
		require.Equal(t, filepath.Join(p.env.HomeDir, ".config", "tutti"), c.UserDir)
		require.False(t, c.DatabaseURL.IsSet())
		require.Nil(t, c.Budget.MaxCostUSD)
		require.Nil(t, c.Budget.MaxTokens)
		require.Equal(t, 30*time.Minute, c.Host.StaleAfter)
		require.False(t, c.Deployment.IsSet())
	}
	p.env.User = ""
	require.Equal(t, "unknown", p.load(config.Flags{}).Principal)
	p.env.User = "a\x00b"
	require.Contains(t, p.refused(config.Flags{}), "principal is not UTF-8 text without NUL")
}

func TestEveryModeHasAStore(t *testing.T) {
	t.Parallel()
	for _, mode := range config.Modes() {
		_, ok := store.ByMode(string(mode))
		require.True(t, ok, "no store for mode %s", mode)
	}
}

func TestRequireTenant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file string
		ok   bool
	}{
		{"mode: solo", true},
		{"mode: team", true},
		{"mode: enterprise", false},
		{"mode: enterprise\ntenant: acme", true},
		{"mode: enterprise\ntenant: default", true},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("work/tutti.yaml", tt.file)
			err := p.load(config.Flags{}).RequireTenant()
			if tt.ok {
				require.NoError(t, err)
				return
			}
			var refusal *config.Error
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, refusal.NextStep, "TUTTI_TENANT")
			p.vars["TUTTI_TENANT"] = "acme"
			require.NoError(t, p.load(config.Flags{}).RequireTenant())
		})
	}
}
