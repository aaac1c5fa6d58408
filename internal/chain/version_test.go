package chain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
)

func version(t *testing.T, c chain.Chain, specialists string) string {
	t.Helper()
	v, err := chain.Version(c, func(name string) (string, error) { return name + specialists, nil })
	require.NoError(t, err)
	return v
}

func TestVersionFollowsBehaviourAlone(t *testing.T) {
	t.Parallel()
	const src = `name: a
description: b
tasks:
  - specialist: x
  - specialist: y
  - {specialist: z, needs: [x, y], backend: provider, provider: p, model: m, reason: r}
`
	base := version(t, mustParse(t, src), "@1")
	require.Regexp(t, `^1\.0\.0\+h[0-9a-f]{12}$`, base)
	edit := func(old, with string) string {
		require.Contains(t, src, old)
		return version(t, mustParse(t, strings.Replace(src, old, with, 1)), "@1")
	}
	require.Equal(t, base, edit("name: a", "name: other"))
	require.Equal(t, base, edit("description: b\n", ""))
	require.Equal(t, base, edit("[x, y]", "[y, x]"))
	require.Equal(t, base, edit("reason: r", "reason: r, onUpstreamFailure: skip"))

	seen := map[string]string{base: "the base", version(t, mustParse(t, src), "@2"): "other specialists"}
	require.Len(t, seen, 2)
	for old, with := range map[string]string{
		"[x, y]": "[x]", "backend: provider": "backend: host", "provider: p": "provider: q", "model: m": "model: n", "reason: r": "reason: s",
		"z,": "z, id: zz,", "m, ": "m, onUpstreamFailure: continue, ", "- specialist: x\n  - specialist: y": "- specialist: y\n  - specialist: x",
	} {
		v := edit(old, with)
		require.Empty(t, seen[v], "%s -> %s", old, with)
		seen[v] = with
	}
}

func TestVersionNeedsEverySpecialist(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	_, err := chain.Version(mustParse(t, whole), func(string) (string, error) { return "", gone })
	require.ErrorIs(t, err, gone)
	require.ErrorContains(t, err, `version of chain "careful"`)
}

// TestVersionIsPinned fails when the canonical form changes: every stored run
// names a version, so that must be a decision.
func TestVersionIsPinned(t *testing.T) {
	t.Parallel()
	c, err := chain.ParseList("a -> b")
	require.NoError(t, err)
	require.Equal(t, "1.0.0+h7fd4e473aa00", version(t, c, "@1"))
}
