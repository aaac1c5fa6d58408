package config

import (
	"fmt"
	"slices"
	"time"
)

// Provider is one configured model API. What is "" or 0 is not configured; the
// built-in provider of the same name, if there is one, then decides.
type Provider struct {
	Name    string
	Dialect string // openai or anthropic
	BaseURL string // without a slash at its end

	// At most one says where the key is; none means no key. KeyFile is absolute.
	APIKeyEnv  string
	KeyFile    string
	KeyCommand string

	// MaxTokens, Temperature and Extras hold for specialists that say nothing of
	// their own; 0 and nil set nothing.
	MaxTokens   int
	Temperature *float64
	// Extras are members of every request, as JSON values. A specialist's member
	// of the same name wins.
	Extras map[string]any

	// Concurrency is the number of calls in flight per worker.
	Concurrency int
	// CallsPerSecond is the rate that all workers share.
	CallsPerSecond float64
	// Timeout is the deadline of one attempt. Always set.
	Timeout time.Duration
	// Retry is always set.
	Retry Retry
}

// Retry bounds the attempts of a call. The waits may be 0, which means that the
// next attempt follows at once.
type Retry struct {
	MaxAttempts    int
	InitialBackoff time.Duration
	MaxBackoff     time.Duration
}

// The dialects that a provider may speak.
const (
	DialectOpenAI    = "openai"
	DialectAnthropic = "anthropic"
)

func newProvider(name string) Provider {
	return Provider{Name: name, Retry: Retry{
		MaxAttempts: 3, InitialBackoff: 500 * time.Millisecond, MaxBackoff: 20 * time.Second,
	}}
}

// Provider returns what is configured for a provider, or what holds for one
// that is not configured at all.
func (c Config) Provider(name string) Provider {
	if p, ok := c.Providers[name]; ok {
		return p
	}
	p := newProvider(name)
	p.Timeout = c.ProviderTimeout
	return p
}

// CheckProviders refuses a provider that cannot be called: one that is not
// built in needs a dialect and a base URL of its own. Whoever knows the
// built-in providers calls it.
func (c Config) CheckProviders(builtin []string) error {
	for _, name := range c.providerNames() {
		if slices.Contains(builtin, name) {
			continue
		}
		p := c.Providers[name]
		for _, need := range []struct{ key, value, example string }{
			{"dialect", p.Dialect, "dialect: openai"},
			{"baseURL", p.BaseURL, "baseURL: http://127.0.0.1:8000/v1"},
		} {
			if need.value != "" {
				continue
			}
			return &Error{
				Origin:   c.Source("providers." + name),
				Message:  fmt.Sprintf("provider %s is not built in and has no %s", name, need.key),
				NextStep: fmt.Sprintf("add %s, or use the name of a built-in provider", need.example),
			}
		}
	}
	return nil
}

// check looks at what one setting alone cannot show. It returns the key of the
// setting to blame.
func (p Provider) check() (key string, err error) {
	var given []string
	for _, source := range []struct{ key, value string }{
		{"apiKeyEnv", p.APIKeyEnv}, {"keyFile", p.KeyFile}, {"keyCommand", p.KeyCommand},
	} {
		if source.value != "" {
			given = append(given, source.key)
		}
	}
	if len(given) > 1 {
		return given[1], refuse("keep one of apiKeyEnv, keyFile and keyCommand", "is a second source of the key beside %s", given[0])
	}
	if p.Retry.InitialBackoff > p.Retry.MaxBackoff {
		return "retry.initialBackoff", refuse("lower it or raise retry.maxBackoff",
			"%s is above retry.maxBackoff %s", spell(p.Retry.InitialBackoff), spell(p.Retry.MaxBackoff))
	}
	return "", nil
}
