package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
)

// The host backend needs no model, and is the default where the caller is a host;
// what somebody chose stands above that.
func TestAHostIsTheDefaultOnlyWhereNobodyChose(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	m.Default, m.HostTimeoutMS = run.BackendHost, 1500
	p, _, err := m.Plan(plan.Wish{Request: "x", Chain: "a"})
	require.NoError(t, err)
	require.Equal(t, run.BackendHost, p.Tasks[0].Backend)
	require.Empty(t, p.Tasks[0].Model, "the host has its own")
	require.Equal(t, int64(1500), p.HostTimeoutMS)
	m.Backend = run.BackendInline
	p, _, err = m.Plan(plan.Wish{Request: "x", Chain: "a"})
	require.NoError(t, err)
	require.Equal(t, run.BackendInline, p.Tasks[0].Backend, "the configuration stands above the default")
	p, _, err = m.Plan(plan.Wish{Request: "x", Chain: "a", Backend: "host"})
	require.NoError(t, err)
	require.Equal(t, run.BackendHost, p.Tasks[0].Backend)
}
