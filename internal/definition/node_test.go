package definition_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

func TestParseYAMLKeepsPlaces(t *testing.T) {
	t.Parallel()
	src := "name: a\ntasks:\n  - id: 007\n    text: |\n      one\n      two\n    ok: true\n    none:\nref: &x y\n"
	got, err := definition.ParseYAML([]byte(src), 10)
	require.NoError(t, err)

	at := func(line, col int) definition.Pos { return definition.Pos{Line: line, Col: col} }
	text := func(p definition.Pos, s string) definition.Node {
		return definition.Node{Pos: p, Kind: definition.Text, Text: s}
	}
	task := definition.Node{Pos: at(12, 5), Kind: definition.Map, Fields: []definition.Field{
		{Pos: at(12, 5), Key: "id", Value: definition.Node{Pos: at(12, 9), Kind: definition.Number, Text: "007"}},
		{Pos: at(13, 5), Key: "text", Value: text(at(13, 11), "one\ntwo\n")},
		{Pos: at(16, 5), Key: "ok", Value: definition.Node{Pos: at(16, 9), Kind: definition.Bool, Text: "true"}},
		{Pos: at(17, 5), Key: "none", Value: definition.Node{Pos: at(17, 10)}},
	}}
	want := definition.Node{Pos: at(10, 1), Kind: definition.Map, Fields: []definition.Field{
		{Pos: at(10, 1), Key: "name", Value: text(at(10, 7), "a")},
		{Pos: at(11, 1), Key: "tasks", Value: definition.Node{Pos: at(12, 3), Kind: definition.List, Items: []definition.Node{task}}},
		{Pos: at(18, 1), Key: "ref", Value: definition.Node{Pos: at(18, 6), Kind: definition.Other}},
	}}
	require.Empty(t, cmp.Diff(want, got))
}

func TestParseYAMLOfNothing(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n\n", "# only a comment\n"} {
		got, err := definition.ParseYAML([]byte(src), 1)
		require.NoError(t, err)
		require.Equal(t, definition.Null, got.Kind)
	}
}

func TestParseYAMLRefusesWithItsPlace(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		src  string
		line int
		want string
	}{
		"a colon too many":  {"a: 1\nb: c: d\n", 5, "mapping value is not allowed"},
		"an open quote":     {"a: 'x", 4, "could not find end character"},
		"two documents":     {"a: 1\n---\nb: 2\n", 6, "second document"},
		"nested brackets":   {"a:\n  " + strings.Repeat("[", 90), 5, "nested deeper"},
		"nested indicators": {"a:\n" + strings.Repeat("- ", 90), 5, "nested deeper"},
		"too many lines":    {strings.Repeat("# x\n", 6000), 4, "longer than 5000 lines"},
		"too many bytes":    {"a: " + strings.Repeat("x", 70<<10), 4, "larger than 64 KiB"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := definition.ParseYAML([]byte(c.src), 4)
			var syntax *definition.SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, c.line, syntax.Line)
			require.Contains(t, err.Error(), c.want)
		})
	}
}

// FuzzParseYAML holds the promise that no file ends the process and that every
// refusal is a located one.
func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{"a: b", "- x\n- y: [1, {z: &a b}]", "? a\n: b", "a: |\n  x", "<<: *x", "\t", "a: 'x", "!t x", "%YAML 1.2\n---\na"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		_, err := definition.ParseYAML(src, 1)
		var syntax *definition.SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Fatalf("%T: %v", err, err)
		}
		if syntax != nil && syntax.Line < 1 {
			t.Fatalf("no line: %v", err)
		}
	})
}
