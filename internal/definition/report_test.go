package definition_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

// field parses a one-line mapping and returns its only field.
func field(t *testing.T, line string) definition.Field {
	t.Helper()
	node, err := definition.ParseYAML([]byte(line), 1)
	require.NoError(t, err)
	require.Len(t, node.Fields, 1)
	return node.Fields[0]
}

func TestReportText(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"k: [a]":    "f:1:4: k must be text; write one value, in quotes where it holds a colon",
		"k: {a: 1}": "f:1:4: k must be text; write one value, in quotes where it holds a colon",
		"k: 1.0":    `f:1:4: k must be text, not "1.0"; put it in quotes: k: "1.0"`,
		"k: true":   `f:1:4: k must be text, not "true"; put it in quotes: k: "true"`,
		"k:":        "f:1:1: k is empty; give it a value or remove the line",
		"k: ' '":    "f:1:1: k is empty; give it a value or remove the line",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			var report definition.Report
			require.Empty(t, report.Text(field(t, line)))
			require.EqualError(t, report.Err("f"), want)
		})
	}
	var report definition.Report
	require.Equal(t, "a b", report.Text(field(t, "k: a b")))
	require.True(t, report.OK())
}

func TestReportChoice(t *testing.T) {
	t.Parallel()
	var report definition.Report
	require.Equal(t, "b", report.Choice(field(t, "k: b"), "a", "b"))
	require.True(t, report.OK())
	require.Empty(t, report.Choice(field(t, "k: c"), "a", "b"))
	require.EqualError(t, report.Err("f"), `f:1:4: k cannot be "c"; use one of: a, b`)

	var empty definition.Report
	require.Empty(t, empty.Choice(field(t, "k:"), "a"))
	require.EqualError(t, empty.Err("f"), "f:1:1: k is empty; give it a value or remove the line")
}

func TestReportTexts(t *testing.T) {
	t.Parallel()
	var report definition.Report
	items := report.Texts(field(t, "k: [a, 'b c']"))
	require.Equal(t, []definition.Item{
		{Pos: definition.Pos{Line: 1, Col: 5}, Text: "a"}, {Pos: definition.Pos{Line: 1, Col: 8}, Text: "b c"},
	}, items)
	require.True(t, report.OK())

	require.Nil(t, report.Texts(field(t, "k: a")))
	require.EqualError(t, report.Err("f"), "f:1:4: k must be a list; write k: [first, second]")

	var mixed definition.Report
	require.Len(t, mixed.Texts(field(t, "k: [a, 1, '', [x]]")), 1)
	var invalid *definition.InvalidError
	require.ErrorAs(t, mixed.Err("f"), &invalid)
	require.Len(t, invalid.Problems, 3)
}

func TestReportKeys(t *testing.T) {
	t.Parallel()
	node, err := definition.ParseYAML([]byte("a: 1\nb: 2\na: 3\n"), 1)
	require.NoError(t, err)
	var report definition.Report
	kept := report.Duplicates(node.Fields)
	require.Len(t, kept, 2)
	require.Equal(t, "1", kept[0].Value.Text)
	require.EqualError(t, report.Err("f"), `f:3:1: key "a" stands twice (first on line 1); keep one of them`)

	var unknown definition.Report
	unknown.UnknownKey(field(t, "nede: x"), []string{"id", "needs"})
	require.EqualError(t, unknown.Err("f"), `f:1:1: unknown key "nede"; did you mean needs? known keys: id, needs`)
	var far definition.Report
	far.UnknownKey(field(t, "colour: x"), []string{"id", "needs"})
	require.EqualError(t, far.Err("f"), `f:1:1: unknown key "colour"; use one of: id, needs`)
}
