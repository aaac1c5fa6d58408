package definition_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

var errNoWord = errors.New("word not found")

// words reads files that hold "name: meaning"; a meaning of "?" is refused.
func words() definition.Format[string] {
	return definition.Format[string]{
		Noun: "word", NotFound: errNoWord, Extensions: []string{".txt"},
		Parse: func(label string, data []byte) (string, string, error) {
			name, meaning, found := strings.Cut(string(data), ": ")
			if !found || meaning == "?" {
				return strings.TrimSuffix(name, "nameless"), "", &definition.InvalidError{File: label, Problems: []definition.Problem{{Message: "no meaning"}}}
			}
			return name, meaning, nil
		},
	}
}

func textSource(label string, files map[string]string) definition.Source {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return definition.Source{Label: label, FS: fsys}
}

func TestSet(t *testing.T) {
	t.Parallel()
	set, err := definition.Load(words(), []definition.Source{
		textSource("one", map[string]string{"a.txt": "b: from a", "b.txt": "nameless", "README.txt": "x", "c.txt": "c: ?"}),
		textSource("two", map[string]string{"b.txt": "b: hidden", "c.txt": "c: hidden", "d.txt": "d: first", "e.txt": "d: second"}),
		{Label: "absent"},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "d"}, set.Names())
	require.Equal(t, []string{"from a", "first"}, set.All())

	_, err = set.Get("c")
	require.EqualError(t, err, `word "c" cannot be used: one/c.txt: no meaning`)
	_, err = set.Get("zz")
	require.ErrorIs(t, err, errNoWord)
	require.EqualError(t, err, `unknown word "zz"; known: b, d`)

	var refused []string
	for _, r := range set.Refused() {
		refused = append(refused, r.Name+" in "+r.Err.Error())
	}
	require.Equal(t, []string{
		"b in one/b.txt: no meaning", "c in one/c.txt: no meaning",
		`d in two/e.txt: name "d" is already used by two/d.txt; give one of the two another name`,
	}, refused)

	_, err = definition.Load(words(), []definition.Source{{Label: "locked", FS: lockedFS{}}})
	require.ErrorContains(t, err, "words: locked cannot be read")
}
