package testenv

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASmallDiskIsFullAndEmptyAgain(t *testing.T) {
	t.Parallel()
	var path string
	t.Run("owner", func(t *testing.T) {
		disk := SmallDisk(t, 1<<20)
		path = disk.Path()
		file := filepath.Join(path, "file")
		disk.Fill()
		require.ErrorIs(t, os.WriteFile(file, []byte("x"), 0o600), syscall.ENOSPC)
		disk.Free()
		require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
		disk.Fill()
		require.ErrorIs(t, os.WriteFile(file+"-2", []byte("x"), 0o600), syscall.ENOSPC)
	})
	require.NoDirExists(t, filepath.Dir(path), "it is gone with its test")
}
