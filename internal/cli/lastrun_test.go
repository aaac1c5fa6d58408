package cli

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheLastRunIsRemembered(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "on", "demand")
	_, err := lastRun(dir)
	require.ErrorIs(t, err, errNoLastRun)
	for _, id := range []string{"run-1", "run-2"} {
		require.NoError(t, rememberRun(dir, id))
		got, err := lastRun(dir)
		require.NoError(t, err)
		require.Equal(t, id, got)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")

	require.NoError(t, os.WriteFile(filepath.Join(dir, lastRunFile), []byte("\n"), 0o600))
	_, err = lastRun(dir)
	require.ErrorIs(t, err, errNoLastRun)
}

func TestManySubmittersNeverLeaveHalfAnID(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids := []string{"run-aaaaaaaaaaaaaaaa", "run-b"}
	require.NoError(t, rememberRun(dir, ids[0]))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				if err := rememberRun(dir, ids[i%2]); err != nil {
					t.Error(err)
				}
				if got, err := lastRun(dir); err != nil || (got != ids[0] && got != ids[1]) {
					t.Errorf("read %q, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}

func TestADataDirectoryThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, rememberRun(file, "run-1"), "remember the run: ")
	_, err := lastRun(filepath.Join(file, "below"))
	require.ErrorContains(t, err, "read which run was started last: ")
}
