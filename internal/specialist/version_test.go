package specialist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/specialist"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func parse(t *testing.T, lines, body string) specialist.Specialist {
	t.Helper()
	got, err := specialist.Parse("x.md", []byte("---\n"+lines+"\n---\n"+body))
	require.NoError(t, err)
	return got
}

// V1: what is the same and what is another specialist.
func TestVersionFollowsBehaviourAlone(t *testing.T) {
	t.Parallel()
	const lines = "name: x\ndescription: d\nmodel: m\ntools: [A, B]\nmaxTokens: 5\ntemperature: 1.0"
	base := parse(t, lines, "body é\n")
	require.Regexp(t, `^1\.0\.0\+h[0-9a-f]{12}$`, base.Version)

	same := map[string]specialist.Specialist{
		"another name":        parse(t, strings.Replace(lines, "name: x", "name: y", 1), "body é\n"),
		"another description": parse(t, strings.Replace(lines, "d\n", "other\n", 1), "body é\n"),
		"another order":       parse(t, "temperature: 1\nmaxTokens: 5\ntools: A, B\nmodel: m\nname: x", "body é\n"),
		"a foreign key":       parse(t, lines+"\ncolor: red", "body é\n"),
	}
	for name, s := range same {
		require.Equal(t, base.Version, s.Version, name)
	}
	different := map[string]specialist.Specialist{
		"a byte of the prompt":   parse(t, lines, "body é"),
		"the same text in NFD":   parse(t, lines, "body e\u0301\n"),
		"another model":          parse(t, strings.Replace(lines, "model: m", "model: n", 1), "body é\n"),
		"another tool":           parse(t, strings.Replace(lines, "B", "C", 1), "body é\n"),
		"another limit":          parse(t, strings.Replace(lines, "5", "6", 1), "body é\n"),
		"another temperature":    parse(t, strings.Replace(lines, "1.0", "0", 1), "body é\n"),
		"temperature left out":   parse(t, strings.Replace(lines, "\ntemperature: 1.0", "", 1), "body é\n"),
		"no tools":               parse(t, strings.Replace(lines, "[A, B]", "[]", 1), "body é\n"),
		"tools left out":         parse(t, strings.Replace(lines, "\ntools: [A, B]", "", 1), "body é\n"),
		"a provider":             parse(t, lines+"\nprovider: p", "body é\n"),
		"a fallback":             parse(t, lines+"\nfallbackModels: [n]", "body é\n"),
		"reasoning":              parse(t, lines+"\nreasoning: surface", "body é\n"),
		"effort":                 parse(t, lines+"\neffort: high", "body é\n"),
		"effort, other value":    parse(t, lines+"\neffort: low", "body é\n"),
		"extras":                 parse(t, lines+"\nextras: {top_p: 0.9}", "body é\n"),
		"extras, other value":    parse(t, lines+"\nextras: {top_p: 0.8}", "body é\n"),
		"extras, other type":     parse(t, lines+"\nextras: {top_p: '0.8'}", "body é\n"),
		"reasoning, other value": parse(t, lines+"\nreasoning: hidden", "body é\n"),
	}
	seen := map[string]string{base.Version: "the base"}
	for name, s := range different {
		require.Empty(t, seen[s.Version], name)
		seen[s.Version] = name
	}
	testenv.Seen(t, "%d ways to write the same have one version; %d changes of behaviour have one each", len(same), len(different))
}

// TestVersionIsPinned fails when the canonical form changes: every stored run
// names versions, so that must be a decision.
func TestVersionIsPinned(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1.0.0+ha48e0060d001", parse(t, "name: x", "body").Version)
}

func TestIDFollowsTheNameAlone(t *testing.T) {
	t.Parallel()
	// uuid5(NAMESPACE_URL, "tutti:specialist:architect"), computed elsewhere.
	require.Equal(t, "587429f9-04e9-53e2-bc12-a20ae9d3477f", specialist.ID("architect"))
	require.NotEqual(t, specialist.ID("a"), specialist.ID("b"))
	require.Equal(t, specialist.ID("x"), parse(t, "name: x\nmodel: m", "body").ID)
}
