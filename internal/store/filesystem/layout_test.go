package filesystem

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func openTest(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "deep", "data"))
	require.NoError(t, err)
	return s
}

func TestNames(t *testing.T) {
	t.Parallel()
	seen := make(map[string]string)
	for _, s := range []string{
		"default", "run-0123456789abcdef", "a.b_c-d", "", ".", "..", "../../etc/passwd", "/", "A", "a", "a ", "ü",
		"NUL\x00", "~x", ".hidden", strings.Repeat("a", 80), strings.Repeat("a", 81), strings.Repeat("a", 5000), `a\b`,
	} {
		file := name(s)
		require.Equal(t, file, filepath.Base(file), "%q leaves its folder", s)
		require.NotContains(t, []string{".", ".."}, file)
		require.NotEqual(t, byte('.'), file[0], "%q would be hidden", s)
		require.LessOrEqual(t, len(file), 80)
		require.Equal(t, strings.ToLower(file), file)
		require.Empty(t, seen[file], "%q has the name of another", s)
		seen[file] = s
	}
	require.Equal(t, "run-0123456789abcdef", name("run-0123456789abcdef"), "people find their runs")
}

func TestOtherFormatIsRefused(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	require.NoError(t, os.WriteFile(s.format(), []byte("99\n"), 0o600))
	require.ErrorIs(t, s.Check(t.Context()), store.ErrSchema)
	_, err := Open(s.dir)
	require.ErrorIs(t, err, store.ErrSchema)
	require.ErrorContains(t, err, `format "99" and this binary knows 1`)
}

func TestUnusableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(filepath.Join(file, "below"))
	require.ErrorIs(t, err, store.ErrUnavailable)

	s := openTest(t)
	require.NoError(t, os.RemoveAll(s.dir))
	require.NoError(t, os.WriteFile(s.dir, nil, 0o600)) // as if the disk were not mounted
	_, err = s.SaveRun(t.Context(), snapshot("r"))
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, s.Check(t.Context()), store.ErrUnavailable)
	require.ErrorIs(t, s.PutContent(t.Context(), "t", "d", nil), store.ErrUnavailable)
	_, err = s.GetContent(t.Context(), "t", "d")
	require.ErrorIs(t, err, store.ErrUnavailable)
}

func snapshot(runID string) store.Snapshot {
	return store.Snapshot{Record: run.Record{TenantID: "t", RunID: runID}}
}

// TestLeftovers: what a killed process was writing is no run, and files are
// nobody else's to read.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	saved, err := s.SaveRun(t.Context(), snapshot("r"))
	require.NoError(t, err)
	require.True(t, saved)
	require.NoError(t, os.WriteFile(filepath.Join(s.runsDir("t"), ".tmp-1"), []byte(`{"rec`), 0o600))
	page, err := s.ListRuns(t.Context(), store.Query{Tenant: "t"})
	require.NoError(t, err)
	require.Len(t, page.Runs, 1)
	err = filepath.Walk(s.dir, func(path string, info os.FileInfo, err error) error {
		require.Zero(t, info.Mode().Perm()&0o077, path)
		return err
	})
	require.NoError(t, err)
}

// TestDamagedFile: the file is named, so that its owner can remove it, and the
// run's next projection mends it.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	_, err := s.SaveRun(t.Context(), snapshot("r"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.runFile("t", "r"), []byte(`{"rec`), 0o600))
	for _, err := range []error{
		func() error { _, err := s.LoadRun(t.Context(), "t", "r"); return err }(),
		func() error { _, err := s.ListRuns(t.Context(), store.Query{Tenant: "t"}); return err }(),
		func() error { _, err := s.OpenRuns(t.Context(), 0, ""); return err }(),
	} {
		require.ErrorContains(t, err, s.runFile("t", "r"))
		require.NotErrorIs(t, err, store.ErrUnavailable)
	}
	_, err = s.LoadRun(t.Context(), "t", "other")
	require.ErrorIs(t, err, store.ErrNotFound)
	saved, err := s.SaveRun(t.Context(), snapshot("r"))
	require.NoError(t, err)
	require.True(t, saved)
	_, err = s.LoadRun(t.Context(), "t", "r")
	require.NoError(t, err)
}

// TestLockIsGivenUp: a save waits for its run's lock as long as its caller does.
func TestLockIsGivenUp(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	err := s.locked(t.Context(), "t", "r", func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		saved, err := s.SaveRun(ctx, snapshot("r"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, saved)
		return nil
	})
	require.NoError(t, err)
	_, err = s.LoadRun(t.Context(), "t", "r")
	require.ErrorIs(t, err, store.ErrNotFound)
	saved, err := s.SaveRun(t.Context(), snapshot("r"))
	require.NoError(t, err)
	require.True(t, saved)
}
