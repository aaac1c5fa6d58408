package config

import (
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// The greatest values that are accepted. Above them stands a slip of the pen
// more likely than a wish.
const (
	maxPark      = 30 * 24 * time.Hour
	maxWait      = 365 * 24 * time.Hour
	maxCostUSD   = 1_000_000
	maxTokens    = 1_000_000_000_000
	maxAttempt   = time.Hour        // of one HTTP request
	maxBackoff   = 60 * time.Second // an activity waits no longer for its next attempt
	maxAttempts  = 10
	maxParallel  = 1000
	maxCeiling   = 10_000_000 // tokens of one answer
	maxHeat      = 2
	minTimeout   = 100 * time.Millisecond
	minStale     = time.Second
	minRate      = 0.001
	maxRate      = 1000
	maxNameBytes = 255
)

// settings is every setting of its own. Models and providers are mappings with
// names of the user's choice and have their own readers.
func settings() fields[Config] {
	return fields[Config]{
		oneOf("mode", func(c *Config) *Mode { return &c.Mode }, Modes()),
		text("tenant", func(c *Config) *string { return &c.Tenant }, checkName),
		text("principal", func(c *Config) *string { return &c.Principal }, checkName),
		oneOf("backend", func(c *Config) *run.Backend { return &c.Backend }, run.Backends()),
		text("model", func(c *Config) *string { return &c.Model }, checkModel),
		text("dataDir", func(c *Config) *string { return &c.DataDir }, checkPath),
		storeName("store", func(c *Config) *string { return &c.Store }),
		text("taskQueue", func(c *Config) *string { return &c.TaskQueue }, checkName),
		duration("limits.park", func(c *Config) *time.Duration { return &c.Limits.Park }, 0, maxPark),
		cost("budget.maxCostUsd", func(c *Config) **string { return &c.Budget.MaxCostUSD }, maxCostUSD),
		optional("budget.maxTokens", func(c *Config) **int64 { return &c.Budget.MaxTokens }, 0, maxTokens),
		oneOf("host.execution", func(c *Config) *Execution { return &c.Host.Execution },
			[]Execution{ExecutionAuto, ExecutionPickup, ExecutionSampling}),
		duration("host.staleAfter", func(c *Config) *time.Duration { return &c.Host.StaleAfter }, minStale, maxWait),
		duration("host.resultTimeout", func(c *Config) *time.Duration { return &c.Host.ResultTimeout }, 0, maxWait),
		text("deployment.name", func(c *Config) *string { return &c.Deployment.Name }, checkDeployment),
		text("deployment.buildID", func(c *Config) *string { return &c.Deployment.BuildID }, checkBuild),
		inVariable(secret("databaseURL", func(c *Config) *Secret { return &c.DatabaseURL })),
		inVariable(duration("providerTimeout", func(c *Config) *time.Duration { return &c.ProviderTimeout }, minTimeout, maxAttempt)),
	}
}

// providerSettings is every setting of one provider.
func providerSettings() fields[Provider] {
	return fields[Provider]{
		oneOf("dialect", func(p *Provider) *string { return &p.Dialect }, []string{DialectOpenAI, DialectAnthropic}),
		baseURL("baseURL", func(p *Provider) *string { return &p.BaseURL }),
		text("apiKeyEnv", func(p *Provider) *string { return &p.APIKeyEnv }, checkVariableName),
		text("keyFile", func(p *Provider) *string { return &p.KeyFile }, checkPath),
		hidden(text("keyCommand", func(p *Provider) *string { return &p.KeyCommand }, checkCommand)),
		whole("maxTokens", func(p *Provider) *int { return &p.MaxTokens }, 1, maxCeiling),
		optionalNumber("temperature", func(p *Provider) **float64 { return &p.Temperature }, 0, maxHeat),
		whole("concurrency", func(p *Provider) *int { return &p.Concurrency }, 1, maxParallel),
		rate("callsPerSecond", func(p *Provider) *float64 { return &p.CallsPerSecond }, minRate, maxRate),
		duration("timeout", func(p *Provider) *time.Duration { return &p.Timeout }, minTimeout, maxAttempt),
		whole("retry.maxAttempts", func(p *Provider) *int { return &p.Retry.MaxAttempts }, 1, maxAttempts),
		duration("retry.initialBackoff", func(p *Provider) *time.Duration { return &p.Retry.InitialBackoff }, 0, maxBackoff),
		duration("retry.maxBackoff", func(p *Provider) *time.Duration { return &p.Retry.MaxBackoff }, 0, maxBackoff),
	}
}

// storeName is a choice among the stores that can be chosen. The memory store
// exists and is refused with its reason.
func storeName[T any](key string, of func(*T) *string) field[T] {
	f := oneOf(key, of, store.Choosable())
	check := f.set
	f.set = func(t *T, value string) error {
		if value == store.NameMemory && !slices.Contains(store.Choosable(), value) {
			return refuse("use one of: "+joined(store.Choosable()), "cannot be memory, which forgets every run when the process ends")
		}
		return check(t, value)
	}
	return f
}
