package provider

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// Definition is a provider as configured: all that makes an Endpoint except the
// key's value.
type Definition struct {
	Name string
	// Dialect is openai, anthropic or demo.
	Dialect string
	// BaseURL is used unless one of BaseURLEnv is set.
	BaseURL string
	// BaseURLEnv are variables that override the base URL, in order.
	BaseURLEnv []string
	Key        KeySource
	Headers    map[string]string
	Defaults   Defaults
	Timeout    time.Duration
}

// Builtins are the providers that exist without configuration.
func Builtins() []Definition {
	return []Definition{
		{
			Name: "openai", Dialect: DialectOpenAI, BaseURL: "https://api.openai.com/v1",
			BaseURLEnv: []string{"OPENAI_BASE_URL"}, Key: KeySource{Env: "OPENAI_API_KEY"},
		},
		{
			Name: "anthropic", Dialect: DialectAnthropic, BaseURL: "https://api.anthropic.com",
			BaseURLEnv: []string{"ANTHROPIC_BASE_URL"}, Key: KeySource{Env: "ANTHROPIC_API_KEY"},
		},
		{
			Name: "openrouter", Dialect: DialectOpenAI, BaseURL: "https://openrouter.ai/api/v1",
			BaseURLEnv: []string{"OPENROUTER_BASE_URL"}, Key: KeySource{Env: "OPENROUTER_API_KEY"},
		},
		{
			Name: "ollama", Dialect: DialectOpenAI, BaseURL: "http://127.0.0.1:11434/v1",
			BaseURLEnv: []string{"OLLAMA_BASE_URL", ollamaHost},
		},
		{Name: "demo", Dialect: DialectDemo},
	}
}

// ollamaHost is Ollama's own variable: a host, a port, both, or a URL, without the
// API's path.
const ollamaHost = "OLLAMA_HOST"

// Endpoint makes the endpoint of a call; the key is resolved apart, because it is
// only needed, and only known, where the call is made. The error says which
// setting is wrong.
func (d Definition) Endpoint(env Lookup, key string) (Endpoint, error) {
	base, source := d.BaseURL, "baseURL of provider "+d.Name
	for _, name := range d.BaseURLEnv {
		if value, ok := env(name); ok && strings.TrimSpace(value) != "" {
			base, source = strings.TrimSpace(value), name
			if name == ollamaHost {
				base = ollamaURL(base)
			}
			break
		}
	}
	ep := Endpoint{Name: d.Name, Dialect: d.Dialect, BaseURL: base, APIKey: key, Headers: d.Headers, Defaults: d.Defaults, Timeout: d.Timeout}
	if d.Dialect == DialectDemo {
		return ep, nil
	}
	if _, err := ParseBaseURL(base); err != nil {
		return Endpoint{}, fmt.Errorf("%s: %w", source, err)
	}
	return ep, nil
}

// ollamaURL reads OLLAMA_HOST as Ollama does, for a client: the address that a
// server binds to all interfaces is reached at the loopback one.
func ollamaURL(value string) string {
	scheme, rest, ok := strings.Cut(value, "://")
	fallback := map[string]string{"http": "80", "https": "443"}[scheme]
	if !ok {
		scheme, rest, fallback = "http", value, "11434"
	}
	hostport, path, _ := strings.Cut(rest, "/")
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host, port = strings.Trim(hostport, "[]"), fallback
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	path = strings.Trim(path, "/")
	if path == "" {
		path = "v1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/" + path
}
