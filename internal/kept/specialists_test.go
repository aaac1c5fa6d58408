package kept_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

func TestASpecialistsVersionStandsForOneContent(t *testing.T) {
	t.Parallel()
	s := memory.New()
	plan := run.Plan{Specialists: []run.PinnedSpecialist{{
		SpecialistRef: run.SpecialistRef{Name: "one", Version: "1.0.0+habc"}, Prompt: content.Of("You are one."),
		Extras: map[string]any{"b": 1, "a": 2},
	}, {SpecialistRef: run.SpecialistRef{Name: "unversioned"}}}}
	record := func(tenant string) error { return kept.RecordSpecialists(t.Context(), s, tenant, &plan) }
	require.NoError(t, record("acme"))
	plan.Specialists[0].Prompt = plan.Specialists[0].Prompt.Ref()
	require.NoError(t, record("acme"), "however the prompt travels")
	plan.Specialists[0].MaxTokens = 7
	require.ErrorIs(t, record("acme"), ledger.ErrSpecialistChanged)
	require.NoError(t, record("other"), "another tenant's are its own")
	plan.Specialists[0].Version = "1.0.0+hdef"
	require.NoError(t, record("acme"))
	require.NoError(t, kept.RecordSpecialists(t.Context(), s, "acme", nil))
}
