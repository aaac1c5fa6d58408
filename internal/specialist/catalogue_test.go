package specialist_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/specialist"
)

func file(lines, body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\n" + lines + "\n---\n" + body)}
}

func load(t *testing.T, work, config fs.FS) *specialist.Catalogue {
	t.Helper()
	c, err := specialist.Load(specialist.Sources(definition.Dirs{Work: work, Config: config, ConfigLabel: "conf"}))
	require.NoError(t, err)
	return c
}

func TestLoadTakesTheFirstDefinition(t *testing.T) {
	t.Parallel()
	work := fstest.MapFS{
		".tutti/specialists/a.md":    file("name: one\ndescription: d", "tutti"),
		".claude/agents/team/one.md": file("name: one\ndescription: d", "claude"),
		".claude/agents/two.md":      file("name: two\ndescription: d", "claude"),
		".claude/agents/README.md":   {Data: []byte("# not an agent")},
		".claude/agents/notes.txt":   {Data: []byte("no")},
	}
	config := fstest.MapFS{
		"specialists/two.md":      file("name: two\ndescription: d", "config"),
		"specialists/three.md":    file("name: three\ndescription: d", "config"),
		"specialists/reviewer.md": file("name: reviewer\ndescription: mine", "my reviewer"),
	}
	c := load(t, work, config)
	require.Empty(t, c.Problems())
	for name, want := range map[string][2]string{
		"one":      {"tutti", ".tutti/specialists/a.md"},
		"two":      {"claude", ".claude/agents/two.md"},
		"three":    {"config", "conf/specialists/three.md"},
		"reviewer": {"my reviewer", "conf/specialists/reviewer.md"},
	} {
		got, err := c.Get(name)
		require.NoError(t, err)
		require.Equal(t, want, [2]string{got.Prompt, got.Source})
	}
	var names []string
	for _, s := range c.All() {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"architect", "debugger", "engineer", "one", "qa", "researcher", "reviewer", "security", "three", "two", "writer"}, names)
}

func TestARefusedFileKeepsItsNameAndDisturbsNobody(t *testing.T) {
	t.Parallel()
	work := fstest.MapFS{
		".claude/agents/broken.md":   file("name: reviewer\nmaxTokens: -1", "body"),
		".claude/agents/writer.md":   {Data: []byte("no front matter")},
		".claude/agents/good.md":     file("name: good\ndescription: d", "body"),
		".tutti/specialists/good.md": file("name: good\ndescription: d\ntemperature: hot", "body"),
		".tutti/specialists/qa.md":   {Data: []byte("no front matter")},
		".tutti/specialists/test.md": file("name: qa\ndescription: d", "my qa"),
	}
	c := load(t, work, nil)
	for name, source := range map[string]string{
		"reviewer": ".claude/agents/broken.md:3:12: maxTokens must be",
		"writer":   ".claude/agents/writer.md:1: the file has no front matter",
		"good":     ".tutti/specialists/good.md:4:14: temperature must be",
	} {
		_, err := c.Get(name)
		var invalid *specialist.InvalidError
		require.ErrorAs(t, err, &invalid, name)
		require.NotErrorIs(t, err, specialist.ErrNotFound)
		require.ErrorContains(t, err, source)
	}
	// The name guessed for qa.md does not hide the one declared beside it.
	got, err := c.Get("qa")
	require.NoError(t, err)
	require.Equal(t, "my qa", got.Prompt)

	var files []string
	for _, p := range c.Problems() {
		files = append(files, p.Name+" "+p.File)
	}
	require.Equal(t, []string{
		"reviewer .claude/agents/broken.md", "writer .claude/agents/writer.md",
		"good .tutti/specialists/good.md", "qa .tutti/specialists/qa.md",
	}, files)
	for _, s := range c.All() {
		require.NotContains(t, []string{"reviewer", "writer", "good"}, s.Name)
	}
}

func TestOneNameTwiceInOneDirectory(t *testing.T) {
	t.Parallel()
	c := load(t, fstest.MapFS{
		".tutti/specialists/a.md": file("name: x\ndescription: d", "first"),
		".tutti/specialists/b.md": file("name: x\ndescription: d", "second"),
	}, nil)
	got, err := c.Get("x")
	require.NoError(t, err)
	require.Equal(t, "first", got.Prompt)
	require.Len(t, c.Problems(), 1)
	require.EqualError(t, c.Problems()[0].Err,
		`.tutti/specialists/b.md: name "x" is already used by .tutti/specialists/a.md; give one of the two another name`)
}

func TestGetOfAnUnknownName(t *testing.T) {
	t.Parallel()
	c := load(t, nil, nil)
	_, err := c.Get("reviwer")
	require.ErrorIs(t, err, specialist.ErrNotFound)
	var missing *definition.NotFoundError
	require.ErrorAs(t, err, &missing)
	require.Equal(t, []string{"reviewer"}, missing.Near)
	require.Len(t, missing.Known, 8)
}

func TestTheCatalogueDoesNotChange(t *testing.T) {
	t.Parallel()
	c := load(t, fstest.MapFS{
		".tutti/specialists/a.md": file("name: x\ndescription: d\ntools: [A]\ntemperature: 1\nfallbackModels: [m]\ncolor: red\nextras: {a: {b: [1]}}", "b"),
	}, nil)
	one, err := c.Get("x")
	require.NoError(t, err)
	one.Tools[0], one.FallbackModels[0], one.Warnings[0], *one.Temperature = "Z", "Z", "Z", 2
	one.Extras["a"].(map[string]any)["b"].([]any)[0] = 2
	two, err := c.Get("x")
	require.NoError(t, err)
	require.Equal(t, []string{"A"}, two.Tools)
	require.Equal(t, []string{"m"}, two.FallbackModels)
	require.Contains(t, two.Warnings[0], "color")
	require.InDelta(t, 1, *two.Temperature, 0)
	require.Equal(t, map[string]any{"a": map[string]any{"b": []any{1}}}, two.Extras)
}

// lockedFS stands for a directory without permission, also for root.
type lockedFS struct{}

func (lockedFS) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

func TestLoadOfADirectoryThatCannotBeListed(t *testing.T) {
	t.Parallel()
	_, err := specialist.Load([]definition.Source{{Label: ".tutti/specialists", FS: lockedFS{}}})
	require.ErrorIs(t, err, fs.ErrPermission)
	require.ErrorContains(t, err, "specialists: .tutti/specialists cannot be read; check its permissions")
}
