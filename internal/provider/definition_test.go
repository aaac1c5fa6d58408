package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func env(vars map[string]string) provider.Lookup {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func builtin(t *testing.T, name string) provider.Definition {
	t.Helper()
	for _, d := range provider.Builtins() {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("no built-in provider %s", name)
	return provider.Definition{}
}

func TestBuiltinEndpoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		vars map[string]string
		want string
	}{
		{"openai", nil, "https://api.openai.com/v1"},
		{"openai", map[string]string{"OPENAI_BASE_URL": " http://127.0.0.1:9/v1 "}, "http://127.0.0.1:9/v1"},
		{"openai", map[string]string{"OPENAI_BASE_URL": ""}, "https://api.openai.com/v1"},
		{"anthropic", nil, "https://api.anthropic.com"},
		{"anthropic", map[string]string{"ANTHROPIC_BASE_URL": "http://gw/ant"}, "http://gw/ant"},
		{"openrouter", map[string]string{"OPENROUTER_BASE_URL": "http://gw"}, "http://gw"},
		{"ollama", nil, "http://127.0.0.1:11434/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "0.0.0.0"}, "http://127.0.0.1:11434/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": ":8080"}, "http://127.0.0.1:8080/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "box:1234"}, "http://box:1234/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "https://box.example/"}, "https://box.example:443/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "http://box/prefix/v1"}, "http://box:80/prefix/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "[::1]"}, "http://[::1]:11434/v1"},
		{"ollama", map[string]string{"OLLAMA_HOST": "box", "OLLAMA_BASE_URL": "http://other/v1"}, "http://other/v1"},
		{"demo", nil, ""},
	} {
		ep, err := builtin(t, c.name).Endpoint(env(c.vars), "key")
		require.NoError(t, err, c.want)
		require.Equal(t, c.want, ep.BaseURL)
		require.Equal(t, "key", ep.APIKey)
		require.Equal(t, c.name, ep.Name)
		require.Equal(t, provider.DefaultTimeout, ep.Deadline())
	}
}

func TestEndpointRefusesABadBaseURL(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"api.example", "ftp://host/v1", "http://", "http://a b/%zz", "::bad"} {
		_, err := builtin(t, "openai").Endpoint(env(map[string]string{"OPENAI_BASE_URL": bad}), "")
		require.ErrorContains(t, err, "OPENAI_BASE_URL", bad)
		require.NotContains(t, err.Error(), bad, "a base URL may hold a credential")
	}
	_, err := provider.Definition{Name: "acme", Dialect: provider.DialectOpenAI}.Endpoint(env(nil), "")
	require.ErrorContains(t, err, "baseURL of provider acme")
}

func TestJoinURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, want string }{
		{"https://h/v1", "https://h/v1/chat/completions"},
		{"https://h/v1/", "https://h/v1/chat/completions"},
		{"https://h", "https://h/chat/completions"},
		{"https://h/openai/deployments/d?api-version=2024-06-01", "https://h/openai/deployments/d/chat/completions?api-version=2024-06-01"},
		{"https://h/v1/chat/completions", "https://h/v1/chat/completions"},
		{"https://h/v1#frag", "https://h/v1/chat/completions"},
	} {
		got, err := provider.JoinURL(c.base, "/chat/completions")
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := provider.JoinURL("h/v1", "/x")
	require.Error(t, err)
}
