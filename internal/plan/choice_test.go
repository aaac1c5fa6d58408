package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestAChoiceHoldsAllThatItsCallsNeed(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	got := planned(t, m, plan.Wish{Chain: "a"}).Tasks[0]
	require.Equal(t, run.ModelChoice{
		Provider: "openai", Model: "gpt-5", Ceiling: provider.DefaultMaxTokens,
		Price:  &run.Price{ID: "p1", Input: "1.25", Output: "10"},
		Limits: run.Limits{TimeoutMS: 120000, MaxAttempts: 3, ParkMS: 60000},
	}, got.ModelChoice)
	require.Empty(t, got.Fallbacks)

	local := planned(t, m, plan.Wish{Chain: "a", Model: "local/llama"}).Tasks[0]
	require.Equal(t, run.ModelChoice{
		Provider: "local", Model: "llama", Queue: "tutti-provider-local", Ceiling: 2048,
		Limits: run.Limits{TimeoutMS: 5000, MaxAttempts: 2},
	}, local.ModelChoice)
}

func TestTheCeiling(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lines, model string
		want         int
	}{
		"nobody says":                        {"", "openai/gpt-5", provider.DefaultMaxTokens},
		"the provider says":                  {"", "local/llama", 2048},
		"the specialist wins":                {"maxTokens: 100", "local/llama", 100},
		"effort adds room for the reasoning": {"effort: high\nmaxTokens: 100", "openai/gpt-5", 100 + provider.ReasoningHeadroom},
		"also to the default":                {"effort: low", "openai/gpt-5", provider.DefaultMaxTokens + provider.ReasoningHeadroom},
		"surfacing alone adds none":          {"reasoning: surface", "openai/gpt-5", provider.DefaultMaxTokens},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", tc.lines)})
			require.Equal(t, tc.want, planned(t, m, plan.Wish{Chain: "a", Model: tc.model}).Tasks[0].Ceiling)
		})
	}
}

func TestAHostTaskNeedsNoModelAndKeepsTheTimeoutAndItsTools(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "tools: Read, Bash")})
	m.HostTimeoutMS = 5000
	got := planned(t, m, plan.Wish{Chain: "a", Backend: "host"})
	require.Equal(t, run.BackendHost, got.Tasks[0].Backend)
	require.Empty(t, got.Tasks[0].ModelChoice)
	require.Equal(t, int64(5000), got.HostTimeoutMS)
	require.Equal(t, []string{"Read", "Bash"}, got.Specialist("a").Tools)
	require.Empty(t, got.Warnings, "a host may have the tools")
}

func TestASpecialistIsPinnedWithItsKeys(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a",
		"model: openai/gpt-5\nmaxTokens: 100\ntemperature: 0\nreasoning: surface\neffort: high\nextras: {top_p: 0.5}")})
	made := planned(t, m, plan.Wish{Chain: "a"})
	pinned := made.Specialist("a")
	require.Equal(t, 100, pinned.MaxTokens)
	require.Equal(t, of(0.0), pinned.Temperature)
	require.Equal(t, "surface", pinned.Reasoning)
	require.Equal(t, "high", pinned.Effort)
	require.Equal(t, map[string]any{"top_p": 0.5}, pinned.Extras)
}

func TestFallbacksAreResolvedLikeTheModel(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a",
		"model: openai/gpt-5\nprovider: openai\nfallbackModels: [small, gpt-5, gpt-4.1, openrouter/x/y, small]")})
	got := planned(t, m, plan.Wish{Chain: "a"})
	var names []string
	for _, f := range got.Tasks[0].Fallbacks {
		names = append(names, f.Name())
		require.Positive(t, f.Ceiling)
		require.Equal(t, 3, f.Limits.MaxAttempts)
	}
	require.Equal(t, []string{"openai/gpt-5-mini", "openai/gpt-4.1", "openrouter/x/y"}, names,
		"in order, each once, and never the model itself; a prefix says more than provider:")
	require.Equal(t, "p2", got.Tasks[0].Fallbacks[0].Price.ID)
	require.Nil(t, got.Tasks[0].Fallbacks[1].Price)
	require.Empty(t, got.Warnings)
}

func TestAnExplicitProviderKeepsFallbacksThere(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: llama\nfallbackModels: [openai/gpt-5, llama-small]")})
	got := planned(t, m, plan.Wish{Chain: "a", Provider: "local"})
	require.Len(t, got.Tasks[0].Fallbacks, 1)
	require.Equal(t, "local/llama-small", got.Tasks[0].Fallbacks[0].Name())
	require.Equal(t, []string{
		`specialist a: fallback model "openai/gpt-5" is passed over: it is of provider openai, and only local was asked for`,
	}, got.Warnings)
}

func TestAFallbackThatCannotBeResolvedIsRefused(t *testing.T) {
	t.Parallel()
	unknown := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5\nfallbackModels: [claude-x]")})
	delete(unknown.Providers.Providers, "anthropic")
	refusal := refused(t, unknown, plan.Wish{Chain: "a"})
	require.Equal(t, run.CodeModelUnresolved, refusal.Code)
	require.Equal(t, `specialist a: fallback model "claude-x": unknown provider "anthropic"`, refusal.Message)

	alias := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5\nfallbackModels: [haiku]")})
	refusal = refused(t, alias, plan.Wish{Chain: "a"})
	require.Equal(t, `specialist a: fallback model "haiku" means nothing to a provider`, refusal.Message)

	// A task that asks no model needs none of its fallbacks.
	require.Empty(t, planned(t, alias, plan.Wish{Chain: "a", Backend: "inline"}).Tasks[0].Fallbacks)
}
