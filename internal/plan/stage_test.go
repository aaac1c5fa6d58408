package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// prices are those of a test: by provider and model.
type prices map[string]run.Price

func (p prices) For(provider, model string) (run.Price, bool) {
	price, ok := p[provider+"/"+model]
	return price, ok
}

// persona is a specialist's file with these lines in its front matter.
func persona(name, lines string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\nname: " + name + "\ndescription: d\n" + lines + "\n---\nYou are " + name + ".\n")}
}

// maker is one over these files, with three providers: local has a queue and a
// ceiling of its own.
func maker(t *testing.T, files fstest.MapFS) *plan.Maker {
	t.Helper()
	dirs := definition.Dirs{Work: files}
	specialists, err := specialist.Load(specialist.Sources(dirs))
	require.NoError(t, err)
	chains, err := chain.Load(chain.Sources(dirs))
	require.NoError(t, err)
	return &plan.Maker{
		Specialists: specialists, Chains: chains, Default: run.BackendProvider,
		Providers: provider.Known{
			Providers: map[string]provider.Presence{"openai": {HasKey: true}, "anthropic": {}, "local": {HasKey: true}, "openrouter": {}},
			Aliases:   map[string]string{"small": "openai/gpt-5-mini"},
		},
		Terms: func(name string) plan.Terms {
			if name == "local" {
				return plan.Terms{Queue: "tutti-provider-local", MaxTokens: 2048, Limits: run.Limits{TimeoutMS: 5000, MaxAttempts: 2}}
			}
			return plan.Terms{Limits: run.Limits{TimeoutMS: 120000, MaxAttempts: 3, ParkMS: 60000}}
		},
		Prices: prices{
			"openai/gpt-5":      {ID: "p1", Input: "1.25", Output: "10"},
			"openai/gpt-5-mini": {ID: "p2", Input: "0.25", Output: "2"},
		},
	}
}

func planned(t *testing.T, m *plan.Maker, w plan.Wish) run.Plan {
	t.Helper()
	w.Request = "please"
	made, err := m.Make(w)
	require.NoError(t, err)
	return *made.Input.Plan
}

func refused(t *testing.T, m *plan.Maker, w plan.Wish) *plan.Refusal {
	t.Helper()
	w.Request = "please"
	_, err := m.Make(w)
	var refusal *plan.Refusal
	require.ErrorAs(t, err, &refusal)
	require.NotEmpty(t, refusal.NextStep)
	return refusal
}

func of[T any](v T) *T { return &v }
