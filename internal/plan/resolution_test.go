package plan_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
)

// task is a chain of one task, a, with these keys.
func task(keys string) fstest.MapFS {
	return fstest.MapFS{
		".tutti/chains/c.yaml": {Data: []byte("name: c\ndescription: d\ntasks:\n  - {id: a, specialist: a" + keys + "}\n")},
	}
}

func TestTheBackendIsTheNearestThatWasNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys   string
		wish   plan.Wish
		config run.Backend
		want   run.Backend
		notice bool
	}{
		"nothing said":             {want: run.BackendProvider},
		"the configuration":        {config: run.BackendInline, want: run.BackendInline},
		"the chain over it":        {keys: ", backend: provider", config: run.BackendInline, want: run.BackendProvider, notice: true},
		"the flag over the chain":  {keys: ", backend: provider", wish: plan.Wish{Backend: "inline"}, want: run.BackendInline},
		"the task's flag over all": {keys: ", backend: inline", wish: plan.Wish{Backend: "inline", TaskBackends: map[string]string{"a": "provider"}}, want: run.BackendProvider},
		"asked for, so no notice":  {keys: ", backend: provider", wish: plan.Wish{Backend: "provider"}, want: run.BackendProvider},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := task(c.keys)
			files[".tutti/specialists/a.md"] = persona("a", "model: openai/gpt-5")
			m := maker(t, files)
			m.Backend = c.config
			c.wish.Request, c.wish.Chain = "please", "c"
			made, err := m.Make(c.wish)
			require.NoError(t, err)
			require.Equal(t, c.want, made.Input.Plan.Tasks[0].Backend)
			require.Equal(t, string(c.want), made.Input.Backend)
			require.Equal(t, c.notice, len(made.Notices) == 1, made.Notices)
		})
	}
}

func TestTheModelIsTheNearestThatWasNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines, keys string
		wish        plan.Wish
		config      string
		want        string
		source      string
	}{
		"the flag":                                 {"model: openai/s", ", model: openai/t", plan.Wish{Model: "openai/f"}, "openai/c", "openai/f", "flag"},
		"the task":                                 {"model: openai/s", ", model: openai/t", plan.Wish{}, "openai/c", "openai/t", "task"},
		"the specialist":                           {"model: openai/s", "", plan.Wish{}, "openai/c", "openai/s", "specialist"},
		"the configuration":                        {"", "", plan.Wish{}, "openai/c", "openai/c", "config"},
		"the demo provider's only model":           {"", "", plan.Wish{Provider: "demo"}, "", "demo/echo", "default"},
		"the demo provider, named by the task":     {"", ", provider: demo", plan.Wish{}, "", "demo/echo", "default"},
		"the flag's provider, for every model":     {"model: llama\nprovider: openai", "", plan.Wish{Provider: "local"}, "", "local/llama", "specialist"},
		"also over the task's":                     {"", ", model: llama, provider: openai", plan.Wish{Provider: "local"}, "", "local/llama", "task"},
		"the specialist's provider for the config": {"provider: local", "", plan.Wish{}, "llama", "local/llama", "config"},
		"not for the model of a flag":              {"model: llama\nprovider: local", "", plan.Wish{Model: "gpt-5"}, "", "openai/gpt-5", "flag"},
		"nor for the task's model":                 {"model: llama\nprovider: local", ", model: claude-x", plan.Wish{}, "", "anthropic/claude-x", "task"},
		"an alias":                                 {"model: small", "", plan.Wish{}, "", "openai/gpt-5-mini", "specialist"},
		"a word of Claude Code's own, passed over": {"model: sonnet", "", plan.Wish{}, "openai/c", "openai/c", "config"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := task(c.keys)
			files[".tutti/specialists/a.md"] = persona("a", c.lines)
			m := maker(t, files)
			m.Model = c.config
			m.Providers.Providers["demo"] = m.Providers.Providers["local"]
			c.wish.Chain = "c"
			got := planned(t, m, c.wish)
			require.Equal(t, c.want, got.Tasks[0].Name())
			provider, model, _ := strings.Cut(c.want, "/")
			require.Equal(t, run.Execution{
				RequestedModel: c.wish.Model, SelectedProvider: provider, SelectedModel: model, ResolutionSource: c.source,
			}, got.Execution)
		})
	}
}

func TestInlineAsksForNoModel(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: sonnet\ntools: Read")})
	got := planned(t, m, plan.Wish{Chain: "a", Backend: "inline"})
	require.Empty(t, got.Tasks[0].ModelChoice)
	require.Empty(t, got.Execution)
	require.Empty(t, got.Warnings, "what a provider would not do matters to nobody here")
}

func TestWarningsSayWhatIsNotDoneAsWritten(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: sonnet\ntools: Read, Bash")})
	m.Model = "openai/gpt-5"
	got := planned(t, m, plan.Wish{Chain: "a -> a"})
	require.Equal(t, []string{
		`specialist a: model "sonnet" means nothing to a provider and is passed over; give it a meaning under models:`,
		"specialist a: its tools are for hosts; a provider's model gets none",
	}, got.Warnings, "each once, however many tasks it has")
	require.Len(t, got.Specialists, 1)
	require.Equal(t, []string{"Read", "Bash"}, got.Specialists[0].Tools)

	m.Providers.Aliases["sonnet"] = "anthropic/claude-x"
	require.Len(t, planned(t, m, plan.Wish{Chain: "a"}).Warnings, 1, "an alias gives it a meaning")
}

func TestWhatCannotBePlannedIsRefusedWithTheNextStep(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		".tutti/specialists/a.md":   persona("a", "model: openai/gpt-5"),
		".tutti/specialists/b.md":   persona("b", ""),
		".tutti/specialists/bad.md": persona("bad", "temperature: hot"),
	}
	for name, c := range map[string]struct {
		wish plan.Wish
		code run.Code
		says []string
	}{
		"no model":             {plan.Wish{Chain: "b"}, run.CodeModelUnresolved, []string{"task b", "--model"}},
		"an unknown provider":  {plan.Wish{Chain: "a", Provider: "nobody"}, run.CodeModelUnresolved, []string{`"nobody"`, "anthropic, local, openai, openrouter"}},
		"sonnet by flag":       {plan.Wish{Chain: "a", Model: "sonnet"}, run.CodeModelUnresolved, []string{`model "sonnet"`, "models:"}},
		"an unknown backend":   {plan.Wish{Chain: "a", Backend: "cloud"}, run.CodeRunInputInvalid, []string{`"cloud"`, "inline, provider or host"}},
		"a task that is not":   {plan.Wish{Chain: "a -> b", TaskBackends: map[string]string{"c": "inline"}}, run.CodeChainInvalid, []string{`no task "c"`, "its tasks are a, b"}},
		"an unknown chain":     {plan.Wish{Chain: "nonsense"}, run.CodeChainInvalid, []string{"nonsense"}},
		"an unknown name":      {plan.Wish{Chain: "a -> nobody"}, run.CodeSpecialist, []string{"nobody"}},
		"a file that is wrong": {plan.Wish{Chain: "a -> bad"}, "", []string{"bad.md:4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.wish.Request = "please"
			_, err := maker(t, files).Make(c.wish)
			var refusal *plan.Refusal
			require.ErrorAs(t, err, &refusal)
			if c.code != "" {
				require.Equal(t, c.code, refusal.Code)
			}
			for _, words := range c.says {
				require.ErrorContains(t, err, words)
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestWithoutAChainTheRulesPickOneAndSayWhy(t *testing.T) {
	t.Parallel()
	got := planned(t, maker(t, fstest.MapFS{}), plan.Wish{Model: "openai/gpt-5"})
	require.NotEmpty(t, got.Tasks)
	require.NotEmpty(t, got.Rationale)
	require.NotEmpty(t, got.Chain.Version)
	require.Empty(t, planned(t, maker(t, fstest.MapFS{}), plan.Wish{Chain: "reviewer", Model: "openai/gpt-5"}).Rationale)
}
