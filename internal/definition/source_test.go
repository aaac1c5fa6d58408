package definition_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

func TestFilesInOrderWithLabels(t *testing.T) {
	t.Parallel()
	work := fstest.MapFS{
		".tutti/chains/b.yaml":     {Data: []byte("b")},
		".tutti/chains/sub/a.YML":  {Data: []byte("a")},
		".tutti/chains/notes.txt":  {Data: []byte("no")},
		".tutti/specialists/x.md":  {Data: []byte("no")},
		".tutti/chains/a.b.c.yaml": {Data: []byte("abc")},
	}
	dirs := definition.Dirs{Work: work, ConfigLabel: "conf"}
	files, err := dirs.InWork(".tutti/chains").Files(".yaml", ".yml")
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		require.NoError(t, f.Err)
		got = append(got, f.Path+" "+f.Stem+" "+string(f.Data))
	}
	require.Equal(t, []string{
		".tutti/chains/a.b.c.yaml a.b.c abc", ".tutti/chains/b.yaml b b", ".tutti/chains/sub/a.YML a a",
	}, got)

	none, err := dirs.InConfig("chains").Files(".yaml")
	require.NoError(t, err)
	require.Empty(t, none)
	require.Equal(t, "conf/chains", dirs.InConfig("chains").Label)
}

func TestFilesOfADirectoryThatIsMissing(t *testing.T) {
	t.Parallel()
	dirs := definition.Dirs{Work: os.DirFS(t.TempDir()), Config: os.DirFS(filepath.Join(t.TempDir(), "absent")), ConfigLabel: "c"}
	for _, source := range []definition.Source{dirs.InWork(".claude/agents"), dirs.InConfig("x"), {Label: "none"}} {
		files, err := source.Files(".md")
		require.NoError(t, err)
		require.Empty(t, files)
	}
}

// lockedFS stands for a directory without permission, which root, who runs many
// test containers, would be let into.
type lockedFS struct{}

func (lockedFS) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

func TestFilesOfADirectoryThatCannotBeListed(t *testing.T) {
	t.Parallel()
	_, err := definition.Source{Label: ".tutti/chains", FS: lockedFS{}}.Files(".yaml")
	require.ErrorIs(t, err, fs.ErrPermission)
	require.ErrorContains(t, err, ".tutti/chains cannot be read; check its permissions")
}

func TestFilesRefusesOneByOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, data string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
	}
	write("a-good.md", "text")
	write("b-nul.md", "one\ntwo\x00")
	write("c-latin.md", "one\n\ncaf\xe9")
	write("d-large.md", strings.Repeat("x", definition.MaxFileBytes+1))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "e-dangling.md")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "f-pipe.md"), 0o600))
	require.NoError(t, os.Symlink("a-good.md", filepath.Join(dir, "g-link.md")))
	write("h-limit.md", strings.Repeat("x", definition.MaxFileBytes))

	files, err := definition.Source{Label: "s", FS: os.DirFS(dir)}.Files(".md")
	require.NoError(t, err)
	want := map[string]string{
		"s/b-nul.md":      "s/b-nul.md:2: the file holds a NUL byte; save it as plain UTF-8 text",
		"s/c-latin.md":    "s/c-latin.md:3: the file is not UTF-8; save it as plain UTF-8 text",
		"s/d-large.md":    "s/d-large.md: the file is larger than 256 KiB; shorten it",
		"s/e-dangling.md": "s/e-dangling.md: the file cannot be read; check its permissions",
		"s/f-pipe.md":     "s/f-pipe.md: this is not a regular file; move it elsewhere",
	}
	require.Len(t, files, 8)
	for _, f := range files {
		if text, refused := want[f.Path]; refused {
			require.EqualError(t, f.Err, text)
			require.Empty(t, f.Data)
			continue
		}
		require.NoError(t, f.Err, f.Path)
		require.NotEmpty(t, f.Data)
	}
	require.ErrorIs(t, files[4].Err, fs.ErrNotExist)
}
