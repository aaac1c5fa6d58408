package config_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
)

func TestWhichFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tenant := func(flags config.Flags) string { return p.load(flags).Tenant }
	named := "../elsewhere/named.yaml"

	require.Equal(t, "default", tenant(config.Flags{}))
	p.write("home/.config/tutti/tutti.yaml", "tenant: home")
	require.Equal(t, "home", tenant(config.Flags{}))
	require.Equal(t, "~/.config/tutti/tutti.yaml:1:1", p.load(config.Flags{}).Source("tenant").String())
	p.write("xdg/tutti/tutti.yaml", "tenant: xdg")
	p.vars["XDG_CONFIG_HOME"] = "xdg"
	require.Equal(t, "home", tenant(config.Flags{}), "a relative directory is ignored")
	p.vars["XDG_CONFIG_HOME"] = filepath.Join(filepath.Dir(p.env.WorkDir), "xdg")
	require.Equal(t, "xdg", tenant(config.Flags{}))
	p.write("work/tutti.yaml", "tenant: work")
	require.Equal(t, "work", tenant(config.Flags{}))
	p.write("elsewhere/variable.yaml", "tenant: variable")
	p.vars["TUTTI_CONFIG"] = filepath.Join(filepath.Dir(p.env.WorkDir), "elsewhere", "variable.yaml")
	require.Equal(t, "variable", tenant(config.Flags{}))
	p.write("elsewhere/named.yaml", "tenant: named")
	require.Equal(t, "named", tenant(config.Flags{Config: &named}))
	require.Equal(t, "../elsewhere/named.yaml:1:1", p.load(config.Flags{Config: &named}).Source("tenant").String())
}

func TestFileThatCannotBeHad(t *testing.T) {
	t.Parallel()
	missing, empty, other := "nowhere.yaml", "", "~bob/tutti.yaml"
	p := newPlace(t)
	require.Contains(t, p.refused(config.Flags{Config: &missing}), `--config: there is no file "nowhere.yaml"; `)
	require.Contains(t, p.refused(config.Flags{Config: &empty}), "--config: the path is empty; ")
	require.Contains(t, p.refused(config.Flags{Config: &other}), "only ~/ is understood")
	_, err := config.Load(p.env, config.Flags{Config: &missing})
	require.ErrorIs(t, err, fs.ErrNotExist)
	p.vars["TUTTI_CONFIG"] = missing
	require.Contains(t, p.refused(config.Flags{}), "TUTTI_CONFIG: there is no file")
	delete(p.vars, "TUTTI_CONFIG")

	path := filepath.Join(p.env.WorkDir, "tutti.yaml")
	require.NoError(t, os.Mkdir(path, 0o700))
	require.Contains(t, p.refused(config.Flags{}), "tutti.yaml: the file cannot be read; ")
}

func TestLayers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("work/tutti.yaml", "\ntenant: file\nlimits:\n  park: 1h\n")
	source := func(flags config.Flags, key string) string { return p.load(flags).Source(key).String() }
	flag := "flag"

	require.Equal(t, "tutti.yaml:2:1", source(config.Flags{}, "tenant"))
	require.Equal(t, "tutti.yaml:4:3", source(config.Flags{}, "limits.park"))
	require.Equal(t, "default", source(config.Flags{}, "mode"))
	p.vars["TUTTI_TENANT"] = ""
	require.Equal(t, "file", p.load(config.Flags{}).Tenant, "an empty variable is unset")
	p.vars["TUTTI_TENANT"] = "variable"
	require.Equal(t, "variable", p.load(config.Flags{}).Tenant)
	require.Equal(t, "TUTTI_TENANT", source(config.Flags{}, "tenant"))
	require.Equal(t, "flag", p.load(config.Flags{Tenant: &flag}).Tenant)
	require.Equal(t, "--tenant", source(config.Flags{Tenant: &flag}, "tenant"))

	p.vars["TUTTI_TENANT"] = strings.Repeat("x", 256)
	require.Contains(t, p.refused(config.Flags{Tenant: &flag}), "TUTTI_TENANT: tenant has 256 bytes", "a covered layer is checked too")
}

func TestFlagsAreGivenOrNot(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	principal, dir, sqlite, queue, empty := "bob", "here", "sqlite", "q", ""
	c := p.load(config.Flags{Principal: &principal, DataDir: &dir, Store: &sqlite, TaskQueue: &queue})
	require.Equal(t, "bob", c.Principal)
	require.Equal(t, filepath.Join(p.env.WorkDir, "here"), c.DataDir)
	require.Equal(t, "sqlite", c.Store)
	require.Equal(t, "q", c.TaskQueue)
	require.Equal(t, "--tenant: tenant is empty; give it a value", p.refused(config.Flags{Tenant: &empty}))
}

func TestVariables(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.vars = map[string]string{
		"TUTTI_MODE": "enterprise", "TUTTI_PRINCIPAL": "eve", "TUTTI_BACKEND": "inline", "TUTTI_MODEL": "m",
		"TUTTI_DATA_DIR": "/data/../srv", "TUTTI_STORE": "filesystem", "TUTTI_TASK_QUEUE": "q",
		"TUTTI_LIMITS_PARK": "2h", "TUTTI_BUDGET_MAX_COST_USD": "0", "TUTTI_BUDGET_MAX_TOKENS": "7",
		"TUTTI_HOST_EXECUTION": "sampling", "TUTTI_HOST_STALE_AFTER": "1m", "TUTTI_HOST_RESULT_TIMEOUT": "3m",
		"TUTTI_DEPLOYMENT_NAME": "d", "TUTTI_DEPLOYMENT_BUILD_ID": "b",
	}
	c := p.load(config.Flags{})
	for name := range p.vars {
		found := false
		for _, s := range c.Explain() {
			found = found || s.Source == config.Origin{Variable: name}
		}
		require.True(t, found, "nothing comes from %s", name)
	}
	require.Equal(t, "/srv", c.DataDir)
	require.Equal(t, "0", *c.Budget.MaxCostUSD)
	require.Equal(t, 3*time.Minute, c.Host.ResultTimeout)

	p.vars["TUTTI_STORE"] = "mysql"
	require.Equal(t, `TUTTI_STORE: store cannot be "mysql"; use one of: postgres, sqlite, filesystem`, p.refused(config.Flags{}))
}

func TestProviderTimeoutVariableIsAboveTheFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("work/tutti.yaml", "providers: {openai: {timeout: 5s}, ollama: }")
	p.vars["TUTTI_PROVIDER_TIMEOUT"] = "7s"
	c := p.load(config.Flags{})
	for _, name := range []string{"openai", "ollama", "anthropic"} {
		require.Equal(t, 7*time.Second, c.Provider(name).Timeout)
	}
	require.Equal(t, "TUTTI_PROVIDER_TIMEOUT", c.Source("providers.openai.timeout").String())
}

func TestDataDir(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.vars["XDG_DATA_HOME"] = "/xdg"
	require.Equal(t, "/xdg/tutti", p.load(config.Flags{}).DataDir)
	p.write("home/.config/tutti/tutti.yaml", "dataDir: data")
	require.Equal(t, filepath.Join(p.env.HomeDir, ".config", "tutti", "data"), p.load(config.Flags{}).DataDir, "relative to the file")
	p.vars["TUTTI_DATA_DIR"] = "~"
	require.Equal(t, p.env.HomeDir, p.load(config.Flags{}).DataDir)
	p.env.HomeDir = ""
	require.Contains(t, p.refused(config.Flags{}), "TUTTI_DATA_DIR: dataDir begins with ~, and there is no home directory")
	p.vars = map[string]string{}
	require.Contains(t, p.refused(config.Flags{}), "there is no home directory for the data directory; set TUTTI_DATA_DIR")
}

func TestDatabaseURLIsNeverShown(t *testing.T) {
	t.Parallel()
	const address = "postgres://alice:canary@db/tutti"
	p := newPlace(t)
	p.write("work/tutti.yaml", "providers: {x: {dialect: openai, baseURL: http://x, keyCommand: echo canary}}")
	p.vars["DATABASE_URL"] = "postgres://other"
	require.Equal(t, "postgres://other", p.load(config.Flags{}).DatabaseURL.Reveal())
	p.vars["TUTTI_DATABASE_URL"] = address
	c := p.load(config.Flags{})
	require.Equal(t, address, c.DatabaseURL.Reveal())
	require.Equal(t, "TUTTI_DATABASE_URL", c.Source("databaseURL").String())

	encoded, err := json.Marshal(c.DatabaseURL)
	require.NoError(t, err)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "url", c.DatabaseURL)
	shown := append([]string{string(encoded), log.String(), fmt.Sprintf("%v", c.Explain())},
		fmt.Sprintf("%v %+v %#v %s %q %x", c.DatabaseURL, c.DatabaseURL, c.DatabaseURL, c.DatabaseURL, c.DatabaseURL, c.DatabaseURL),
		fmt.Sprintf("%v %+v", struct{ URL config.Secret }{c.DatabaseURL}, &struct{ URL config.Secret }{c.DatabaseURL}))
	for _, s := range shown {
		require.NotContains(t, s, "canary")
		require.NotContains(t, s, fmt.Sprintf("%x", "canary"))
		require.Contains(t, strings.ToLower(s+" not shown"), "not shown")
	}
	require.Empty(t, config.Secret{}.String())
}

func TestExplainNamesValueAndSource(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("work/tutti.yaml", documented)
	p.vars["TUTTI_MODEL"] = "gpt-x"
	c := p.load(config.Flags{})
	got := map[string]string{}
	for _, s := range c.Explain() {
		require.NotContains(t, got, s.Key)
		got[s.Key] = s.Value + " from " + s.Source.String()
	}
	for key, want := range map[string]string{
		"mode":                    "team from tutti.yaml:2:1",
		"model":                   "gpt-x from TUTTI_MODEL",
		"models.sonnet":           "anthropic/claude-sonnet-4.5 from tutti.yaml:7:10",
		"limits.park":             "24h from tutti.yaml:22:10",
		"budget.maxCostUsd":       "1.00 from tutti.yaml:23:10",
		"budget.maxTokens":        "0 from tutti.yaml:23:28",
		"databaseURL":             " from default",
		"providerTimeout":         "2m from default",
		"providers.files.dialect": "anthropic from tutti.yaml:20:11",
		"providers.local-vllm.retry.initialBackoff": "0s from tutti.yaml:19:29",
		"providers.local-vllm.callsPerSecond":       "5 from tutti.yaml:17:5",
	} {
		require.Equal(t, want, got[key], key)
	}
	require.NotContains(t, got, "providers.files.timeout", "what a provider does not set is not listed for it")
}
