package specialist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

// sections are what every built-in persona must say.
var sections = []string{"## What you doubt", "## How you work", "## What you deliver", "## What you refuse"}

func TestBuiltInPersonas(t *testing.T) {
	t.Parallel()
	c := load(t, nil, nil)
	require.Empty(t, c.Problems())
	all := c.All()
	require.Len(t, all, 8)
	prompts := map[string]string{}
	for _, s := range all {
		require.Equal(t, "built-in/"+s.Name+".md", s.Source)
		require.True(t, definition.IsBuiltIn(s.Source))
		require.Empty(t, s.Warnings, s.Name)
		require.Greater(t, len(s.Description), 60, s.Name)
		require.Empty(t, s.Model+s.Provider, "%s pins a model", s.Name)
		require.Nil(t, s.Tools, "%s lists tools, of which providers would warn", s.Name)
		for _, section := range sections {
			require.Contains(t, s.Prompt, section, s.Name)
		}
		lines := strings.Count(s.Prompt, "\n")
		require.True(t, lines >= 60 && lines <= 120, "%s has %d lines", s.Name, lines)
		for _, line := range strings.Split(s.Prompt, "\n") {
			if len(line) < 40 {
				continue
			}
			require.Empty(t, prompts[line], "%s and %s share a line", s.Name, prompts[line])
			prompts[line] = s.Name
		}
	}
}
