package provider_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func known(openAIKey bool) provider.Known {
	return provider.Known{
		Providers: map[string]provider.Presence{
			"openai": {HasKey: openAIKey}, "anthropic": {HasKey: true}, "openrouter": {HasKey: true},
			"ollama": {HasKey: true}, "demo": {HasKey: true}, "local-vllm": {HasKey: true},
		},
		Aliases: map[string]string{
			"sonnet": "anthropic/claude-sonnet-4.5", "fast": "openrouter/auto", "loop": "sonnet", "blank": " ",
		},
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model, provider string
		openAIKey       bool
		wantProvider    string
		wantModel       string
	}{
		// An explicit provider wins over every name.
		{"gpt-4o", "local-vllm", true, "local-vllm", "gpt-4o"},
		{"claude-sonnet-4-5", "openrouter", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"claude-sonnet-4-5-20250929", "openrouter", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"anthropic/claude-sonnet-4.5", "openrouter", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"openrouter/anthropic/claude-sonnet-4.5", "openrouter", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"gpt-4o", "openrouter", true, "openrouter", "openai/gpt-4o"},
		{"anthropic/claude-sonnet-4.5", "anthropic", true, "anthropic", "claude-sonnet-4-5"},
		{"openai/gpt-oss-20b", "ollama", true, "ollama", "openai/gpt-oss-20b"},
		{"echo-50", "demo", true, "demo", "echo-50"},
		// Then the prefix of a configured provider, whatever follows it.
		{"openrouter/anthropic/claude-sonnet-4.5", "", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"openrouter/openai/gpt-4o", "", true, "openrouter", "openai/gpt-4o"},
		{"openrouter/echo", "", true, "openrouter", "echo"},
		{"openrouter/auto", "", true, "openrouter", "openrouter/auto"},
		{"ollama/llama3.2:3b", "", true, "ollama", "llama3.2:3b"},
		{"local-vllm/claude-like", "", true, "local-vllm", "claude-like"},
		{"openai/gpt-4o", "", false, "openai", "gpt-4o"},
		{"demo/echo", "", true, "demo", "echo"},
		{"anthropic/claude-3.7-sonnet", "", true, "anthropic", "claude-3-7-sonnet"},
		// Then a name with claude.
		{"claude-sonnet-4.5", "", true, "anthropic", "claude-sonnet-4-5"},
		{"claude-3-5-sonnet-20241022", "", true, "anthropic", "claude-3-5-sonnet-20241022"},
		{"Claude-Opus-4-1", "", true, "anthropic", "Claude-Opus-4-1"},
		{"us.anthropic.claude-x", "", true, "anthropic", "us.anthropic.claude-x"},
		// Then OpenAI's names, with a key.
		{"gpt-4o", "", true, "openai", "gpt-4o"},
		{"gpt-4o", "", false, "openrouter", "openai/gpt-4o"},
		{"o3-mini", "", true, "openai", "o3-mini"},
		{"o3-mini", "", false, "openrouter", "openai/o3-mini"},
		{"olmo-2", "", true, "openrouter", "olmo-2"},
		// Else openrouter.
		{"mistralai/mistral-large", "", true, "openrouter", "mistralai/mistral-large"},
		{"llama-3", "", true, "openrouter", "llama-3"},
		{"unknown/gpt-4o", "", true, "openrouter", "unknown/gpt-4o"},
		{"openai/", "", true, "openrouter", "openai/"},
		// Aliases first, and once.
		{"sonnet", "", true, "anthropic", "claude-sonnet-4-5"},
		{"sonnet", "openrouter", true, "openrouter", "anthropic/claude-sonnet-4.5"},
		{"fast", "", true, "openrouter", "openrouter/auto"},
		{"loop", "", true, "openrouter", "sonnet"},
	} {
		got, err := provider.Resolve(provider.Query{Model: c.model, Provider: c.provider}, known(c.openAIKey))
		require.NoError(t, err, c.model)
		require.Equal(t, provider.Selection{Provider: c.wantProvider, Model: c.wantModel}, got, "%s at %q", c.model, c.provider)
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	var none *provider.NoModelError
	for _, model := range []string{"", "  ", "blank"} {
		_, err := provider.Resolve(provider.Query{Model: model, Provider: "openai"}, known(true))
		require.ErrorAs(t, err, &none)
		require.Equal(t, provider.CodeModelUnresolved, none.Code())
		require.NotEmpty(t, none.Remediation())
	}
	var unknown *provider.UnknownProviderError
	_, err := provider.Resolve(provider.Query{Model: "gpt-4o", Provider: "acme"}, known(true))
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "acme", unknown.Name)
	require.Contains(t, unknown.Remediation(), "anthropic, demo, local-vllm, ollama, openai, openrouter")

	_, err = provider.Resolve(provider.Query{Model: "llama-3"}, provider.Known{})
	require.ErrorAs(t, err, &unknown, "a fallback that is not configured is unknown too")
}
