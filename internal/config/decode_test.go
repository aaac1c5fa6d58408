package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	provider := func(line string) string {
		return "providers:\n  local:\n    dialect: openai\n    baseURL: http://h/v1\n    " + line + "\n"
	}
	tests := []struct{ name, file, want string }{
		{"unknown key with a neighbour", "mode: solo\nmodl: x\n", `tutti.yaml:2:1: unknown key "modl"; did you mean "mode" or "model"?`},
		{"unknown key without one", "zzzzzz: x", `tutti.yaml:1:1: unknown key "zzzzzz"; known keys: mode, tenant,`},
		{"unknown nested key", "budget:\n  maxCost: 1\n", `tutti.yaml:2:3: unknown key "maxCost"; did you mean "maxCostUsd"?`},
		{"unknown key of a provider", provider("baseUrl: http://h"), `tutti.yaml:5:5: unknown key "baseUrl" in providers.local; did you mean "baseURL"?`},
		{"unknown key of a retry", provider("retry: {max: 3}"), `tutti.yaml:5:13: unknown key "max" in providers.local; `},
		{"dotted key", "limits.park: 1h", `tutti.yaml:1:1: unknown key "limits.park"; `},
		{"a setting of variables", "providerTimeout: 1s", `unknown key "providerTimeout"`},
		{"a key that does not belong here", provider("apiKey: sk-canary"), "name its place by apiKeyEnv, keyFile or keyCommand"},
		{"the database's address", "databaseUrl: postgres://canary", "set DATABASE_URL"},
		{"the Temporal connection", "temporal: {address: x}", "set TEMPORAL_ADDRESS"},
		{"key twice", "tenant: a\nmode: solo\ntenant: b\n", `tutti.yaml:3:1: key "tenant" stands twice (first on line 1); keep one of them`},
		{"provider twice", "providers: {a: , a: }", `key "a" stands twice`},
		{"alias twice", "models: {a: x, a: y}", `key "a" stands twice`},

		{"a ceiling of nothing", provider("maxTokens: 0"), "tutti.yaml:5:16: providers.local.maxTokens is out of range"},
		{"too hot", provider("temperature: 2.5"), "providers.local.temperature is out of range"},
		{"no temperature", provider("temperature: NaN"), "providers.local.temperature is out of range"},
		{"extras that are none", provider("extras: fast"), "providers.local.extras is not a list of settings"},
		{"extras that tutti writes", provider("extras: {max_tokens: 5}"), `tutti.yaml:5:14: providers.local.extras cannot hold "max_tokens"; write maxTokens: for it`},

		{"no YAML", "tenant: [a", "tutti.yaml:1:"},
		{"two documents", "tenant: a\n---\ntenant: b\n", "tutti.yaml:3:"},
		{"no mapping", "- tenant", "tutti.yaml:1:1: the file is not a list of settings; "},
		{"NUL", "tenant: a\x00", "tutti.yaml:1:1: the file holds a NUL byte"},
		{"not UTF-8", "\ntenant: \xff", "tutti.yaml:2:1: the file is not UTF-8"},
		{"too large", strings.Repeat("#", 1<<20), "the file is larger than"},

		{"no value", "mode: solo\ntenant:\n", "tutti.yaml:2:1: tenant has no value; give it a value or remove the line"},
		{"empty", `tenant: ""`, "tenant is empty"},
		{"a list", "tenant: [a]", "tutti.yaml:1:9: tenant is not one value; "},
		{"an alias of YAML", "tenant: &a x\nmodel: *a\n", "is not one value"},
		{"a truth", "tenant: true", "tenant cannot be true; put it in quotes"},
		{"scalar for a mapping", "limits: 5h", "tutti.yaml:1:9: limits is not a list of settings"},
		{"scalar for a provider", "providers: {a: b}", "providers.a is not a list of settings"},
		{"scalar for the models", "models: x", "models is not a list of settings"},

		{"mode", "mode: duo", `tutti.yaml:1:7: mode cannot be "duo"; use one of: solo, team, enterprise`},
		{"backend", "backend: cloud", `backend cannot be "cloud"; use one of: inline, provider, host`},
		{"store", "store: mongo", `store cannot be "mongo"; use one of: postgres, sqlite, filesystem`},
		{"memory", "store: memory", "store cannot be memory, which forgets every run when the process ends; use one of"},
		{"execution", "host: {execution: never}", `host.execution cannot be "never"`},
		{"tenant with NUL", `tenant: "a\0b"`, "tenant is not UTF-8 text without NUL"},
		{"tenant too long", "tenant: " + strings.Repeat("é", 128), "tenant has 256 bytes, the limit is 255"},
		{"model with a space", "model: gpt 5", "model holds a space"},
		{"alias with a space", "models: {a b: c}", "an alias in models holds a space"},
		{"alias of nothing", "models: {a: }", "models.a has no value"},
		{"path of another home", "dataDir: ~bob/x", "dataDir begins with"},
		{"half a deployment", "deployment: {name: x}", "tutti.yaml:1:14: deployment.name stands alone; give both"},
		{"the other half", "deployment: {buildID: x}", "deployment.buildID stands alone"},
		{"a deployment's name with a dot", "deployment: {name: a.b, buildID: x}", `tutti.yaml:1:20: deployment.name holds a dot or a colon: "a.b"`},
		{"a deployment's name with a colon", `deployment: {name: "a:b", buildID: x}`, "deployment.name holds a dot or a colon"},
		{"a build that Temporal keeps", "deployment: {name: a, buildID: __unversioned__}", "deployment.buildID begins with __"},

		{"duration without a unit", "limits: {park: 30}", `tutti.yaml:1:16: limits.park is no duration: "30"; write a number with its unit`},
		{"park above", "limits: {park: 721h}", `limits.park is out of range: "721h"; use 0s to 720h`},
		{"park below", "limits: {park: -1s}", "limits.park is out of range"},
		{"stale at once", "host: {staleAfter: 0s}", "host.staleAfter is out of range"},
		{"timeout below", "host: {resultTimeout: -1ns}", "host.resultTimeout is out of range"},
		{"cost below", "budget: {maxCostUsd: -1}", "is no amount of dollars"},
		{"cost with an exponent", "budget: {maxCostUsd: 1e3}", "is no amount of dollars"},
		{"cost with ten decimals", "budget: {maxCostUsd: 0.0000000001}", "at most 9 decimals"},
		{"cost above", "budget: {maxCostUsd: 1000000.01}", `out of range: "1000000.01"; use 0 to 1000000`},
		{"tokens below", "budget: {maxTokens: -1}", "budget.maxTokens is out of range"},
		{"half a token", "budget: {maxTokens: 0.5}", "budget.maxTokens is no whole number"},
		{"tokens above int64", "budget: {maxTokens: 99999999999999999999}", "budget.maxTokens is out of range"},

		{"provider name", "providers: {My_LLM: {}}", `tutti.yaml:1:13: provider name "My_LLM" is refused; use lower-case letters`},
		{"provider name with a hyphen first", "providers: {-a: {}}", `provider name "-a" is refused`},
		{"dialect", provider("x: 1\n  other: {dialect: soap}"), `unknown key "x"`},
		{"wrong dialect", "providers: {a: {dialect: soap}}", `providers.a.dialect cannot be "soap"; use one of: openai, anthropic`},
		{"no concurrency", provider("concurrency: 0"), `tutti.yaml:5:18: providers.local.concurrency is out of range: "0"; use 1 to 1000`},
		{"no rate", provider("callsPerSecond: 0"), "providers.local.callsPerSecond is out of range"},
		{"rate that is no number", provider("callsPerSecond: NaN"), "callsPerSecond is out of range"},
		{"rate in words", provider("callsPerSecond: many"), `callsPerSecond is no number: "many"`},
		{"no time", provider("timeout: 0s"), `providers.local.timeout is out of range: "0s"; use 100ms to 1h`},
		{"no attempt", provider("retry: {maxAttempts: 0}"), `providers.local.retry.maxAttempts is out of range: "0"; use 1 to 10`},
		{"wait above", provider("retry: {maxBackoff: 61s}"), "use 0s to 1m"},
		{"waits crossed", provider("retry: {initialBackoff: 30s}"), "tutti.yaml:5:13: providers.local.retry.initialBackoff 30s is above retry.maxBackoff 20s; "},
		{"waits crossed from above", provider("retry: {maxBackoff: 0s}"), "tutti.yaml:5:13: providers.local.retry.initialBackoff 500ms is above retry.maxBackoff 0s"},
		{"two keys", provider("apiKeyEnv: A\n    keyCommand: pass show canary"), "tutti.yaml:6:5: providers.local.keyCommand is a second source of the key beside apiKeyEnv; keep one"},
		{"a key for its variable", provider("apiKeyEnv: sk-canary"), "apiKeyEnv is not the name of a variable; put the key into a variable"},
		{"a variable with a digit first", provider("apiKeyEnv: 1A"), "apiKeyEnv is not the name of a variable"},
		{"empty key file", provider(`keyFile: " "`), "keyFile is empty"},
		{"empty command", provider(`keyCommand: ""`), "keyCommand is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("work/tutti.yaml", tt.file)
			got := p.refused(config.Flags{})
			require.Contains(t, got, tt.want)
			require.True(t, strings.HasPrefix(got, "tutti.yaml:"), got)
			require.Contains(t, got, "; ", "a refusal names the next step")
			require.NotContains(t, got, "canary", "what may be a secret is not repeated")
		})
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, want string }{
		{"http://127.0.0.1:8000/v1", ""},
		{"https://host/", ""},
		{"https://[::1]:8443/a/b", ""},
		{"host:8000", "begins neither"},
		{"/v1", "begins neither"},
		{"ftp://host", "begins neither"},
		{"https://", "has no host"},
		{"https:///v1", "has no host"},
		{"https://:80/v1", "has no host"},
		{"https://user:canary@host/v1", "holds credentials"},
		{"https://canary@host/v1", "holds credentials"},
		{"https://host/v1?key=canary", "holds a query"},
		{"https://host/v1?", "holds a query"},
		{"https://host/v1#canary", "holds a query or a fragment"},
		{"https://ho st/canary", "is no URL"},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("work/tutti.yaml", "providers: {a: {baseURL: '"+tt.url+"'}}")
			if tt.want == "" {
				require.Equal(t, strings.TrimRight(tt.url, "/"), p.load(config.Flags{}).Providers["a"].BaseURL)
				return
			}
			got := p.refused(config.Flags{})
			require.Contains(t, got, "providers.a.baseURL "+tt.want)
			require.NotContains(t, got, "canary")
		})
	}
}

// What is written plainly is taken as it stands, and 0 is a value.
func TestAccepted(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, key, want string }{
		{"tenant: 007", "tenant", "007"},
		{"tenant: 1.10", "tenant", "1.10"},
		{"tenant: 'true'", "tenant", "true"},
		{"tenant: Zürich GmbH", "tenant", "Zürich GmbH"},
		{"tenant: " + strings.Repeat("x", 255), "tenant", strings.Repeat("x", 255)},
		{"limits: {park: 0s}", "limits.park", "0s"},
		{"limits: {park: 720h}", "limits.park", "720h"},
		{"limits: {park: 1h30m}", "limits.park", "1h30m"},
		{"host: {resultTimeout: 0}", "host.resultTimeout", "0s"},
		{"budget: {maxCostUsd: 0}", "budget.maxCostUsd", "0"},
		{"budget: {maxCostUsd: '0.10'}", "budget.maxCostUsd", "0.10"},
		{"budget: {maxCostUsd: 1000000}", "budget.maxCostUsd", "1000000"},
		{"budget: {maxTokens: 0}", "budget.maxTokens", "0"},
		{"providers: {a: {retry: {initialBackoff: 0s, maxBackoff: 0s}}}", "providers.a.retry.maxBackoff", "0s"},
		{"providers: {a: {callsPerSecond: 0.5}}", "providers.a.callsPerSecond", "0.5"},
		{"providers: {a: {keyCommand: pass show x}}", "providers.a.keyCommand", "(set, not shown)"},
		{"providers: {a: {apiKeyEnv: _A1}}", "providers.a.apiKeyEnv", "_A1"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write("work/tutti.yaml", tt.file)
			for _, s := range p.load(config.Flags{}).Explain() {
				if s.Key == tt.key {
					require.Equal(t, tt.want, s.Value)
					require.Equal(t, "tutti.yaml", s.Source.File)
					return
				}
			}
			t.Fatalf("%s is not explained", tt.key)
		})
	}
}

func TestCheckProviders(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("work/tutti.yaml", "providers:\n  openai: {concurrency: 2}\n  mine: {dialect: openai}\n")
	c := p.load(config.Flags{})
	require.NoError(t, c.CheckProviders([]string{"openai", "mine"}))
	err := c.CheckProviders([]string{"openai"})
	var refusal *config.Error
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, 3, refusal.Line)
	require.EqualError(t, err, "tutti.yaml:3:3: provider mine is not built in and has no baseURL; "+
		"add baseURL: http://127.0.0.1:8000/v1, or use the name of a built-in provider")

	p.write("work/tutti.yaml", "providers: {mine: {dialect: openai, baseURL: http://h}}")
	require.NoError(t, p.load(config.Flags{}).CheckProviders(nil))
}
