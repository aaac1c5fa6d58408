package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// noSQLite opens every store but SQLite.
func noSQLite(name string) error {
	if name == store.NameSQLite {
		return errUnusable
	}
	return nil
}

func anything(string) error { return nil }

func TestChooseFollowsUntilCleared(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	req := store.Request{Chosen: "sqlite", DataDir: dir}

	first, err := store.Choose(req, noon, noSQLite)
	require.NoError(t, err)
	require.Equal(t, "filesystem", first.Name)
	require.Equal(t, noon, first.Fallback.Since)

	// The file is well again, and still the fallback holds.
	second, err := store.Choose(req, noon.Add(time.Hour), anything)
	require.NoError(t, err)
	require.Equal(t, "filesystem", second.Name)
	require.Nil(t, second.Fallback, "nothing new")
	require.Equal(t, first.Warning, second.Warning)

	other, err := store.Choose(store.Request{Mode: "team", DatabaseURLSet: true, DataDir: dir}, noon, anything)
	require.NoError(t, err)
	require.Equal(t, "postgres", other.Name)

	cleared, err := store.ClearFallbacks(dir)
	require.NoError(t, err)
	require.Equal(t, store.Fallbacks{*first.Fallback}, cleared)
	third, err := store.Choose(req, noon, anything)
	require.NoError(t, err)
	require.Equal(t, "sqlite", third.Name)
	require.Empty(t, third.Warning)
}

func TestChooseKeepsFallbacksApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, req := range []store.Request{{Chosen: "sqlite"}, {Mode: "team"}} {
		req.DataDir = dir
		_, err := store.Choose(req, noon, noSQLite)
		require.NoError(t, err)
	}
	known, err := store.ReadFallbacks(dir)
	require.NoError(t, err)
	require.Len(t, known, 2)
	for _, name := range []string{"sqlite", "postgres"} {
		f, ok := known.For(name)
		require.True(t, ok)
		require.Equal(t, name, f.Replaces)
	}
	_, ok := known.For("filesystem")
	require.False(t, ok)
}

func TestChooseWritesNothingWithoutAFallback(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := store.Choose(store.Request{Chosen: "sqlite", DataDir: dir}, noon, anything)
	require.NoError(t, err)
	_, err = store.Choose(store.Request{Chosen: "sqlite", DataDir: dir}, noon, func(string) error { return errOlder })
	require.ErrorIs(t, err, store.ErrSchema)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// Of many that fall back at once one writes, all follow it, and none loses what
// another one wrote.
func TestChooseRace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const each = 20
	reqs := []store.Request{{Chosen: "sqlite", DataDir: dir}, {Chosen: "postgres", DataDir: dir}}
	start := make(chan struct{})
	choices := make([]store.Choice, each*len(reqs))
	errs := make([]error, len(choices))
	var all sync.WaitGroup
	for i := range choices {
		all.Go(func() {
			<-start
			fail := func(name string) error {
				if name == store.NameSQLite {
					return fmt.Errorf("cause %d", i)
				}
				return nil
			}
			choices[i], errs[i] = store.Choose(reqs[i%len(reqs)], noon.Add(time.Duration(i)*time.Second), fail)
		})
	}
	close(start)
	all.Wait()
	require.NoError(t, errors.Join(errs...))

	known, err := store.ReadFallbacks(dir)
	require.NoError(t, err)
	require.Len(t, known, len(reqs))
	for i, got := range choices {
		winner, ok := known.For(reqs[i%len(reqs)].Chosen)
		require.True(t, ok)
		require.Equal(t, "filesystem", got.Name)
		require.Contains(t, got.Warning, winner.Reason)
		if got.Fallback != nil {
			require.Equal(t, winner, *got.Fallback)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestDamagedFallbackFile(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"cut off":          `[{"replaces":"sql`,
		"empty":            "",
		"unknown store":    `[{"replaces":"mysql","store":"filesystem"}]`,
		"unknown stand-in": `[{"replaces":"sqlite","store":"postgres"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, store.FallbackFile), []byte(content), 0o600))
			_, err := store.Choose(store.Request{Mode: "solo", DataDir: dir}, noon, anything)
			require.ErrorIs(t, err, store.ErrFallbackFile)
			require.ErrorContains(t, err, "tutti doctor --fix")
			_, err = store.WriteFallback(dir, store.Fallback{Replaces: "sqlite", Store: "filesystem"})
			require.ErrorIs(t, err, store.ErrFallbackFile)

			_, err = store.ClearFallbacks(dir)
			require.NoError(t, err)
			_, err = store.Choose(store.Request{Mode: "solo", DataDir: dir}, noon, anything)
			require.NoError(t, err)
		})
	}
}

func TestClearFallbacksWithoutAny(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	cleared, err := store.ClearFallbacks(dir)
	require.NoError(t, err)
	require.Empty(t, cleared)
	require.NoDirExists(t, dir, "looking makes no directory")
}

// A fallback that cannot be written down would be known to one process only.
func TestChooseRefusesWhatItCannotWriteDown(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := store.WriteFallback(file, store.Fallback{Replaces: "sqlite", Store: "filesystem"})
	require.Error(t, err)
	_, err = store.Choose(store.Request{Chosen: "sqlite", DataDir: file}, noon, noSQLite)
	require.Error(t, err)
}
