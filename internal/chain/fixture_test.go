package chain_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// catalogue returns the built-in specialists and a refused one named broken.
func catalogue(t *testing.T) *specialist.Catalogue {
	t.Helper()
	work := fstest.MapFS{".tutti/specialists/broken.md": {Data: []byte("no front matter")}}
	c, err := specialist.Load(specialist.Sources(definition.Dirs{Work: work}))
	require.NoError(t, err)
	return c
}

func library(t *testing.T, work, config fstest.MapFS) *chain.Library {
	t.Helper()
	l, err := chain.Load(chain.Sources(definition.Dirs{Work: work, Config: config, ConfigLabel: "conf"}))
	require.NoError(t, err)
	return l
}

// problems returns every problem of a refusal as one line.
func problems(t *testing.T, err error) []string {
	t.Helper()
	var invalid *chain.InvalidError
	require.ErrorAs(t, err, &invalid)
	return invalid.Lines()
}

func mustParse(t *testing.T, src string) chain.Chain {
	t.Helper()
	c, err := chain.Parse("c.yaml", []byte(src))
	require.NoError(t, err)
	return c
}
