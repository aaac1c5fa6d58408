package main_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// Fault injection: the disk of the store is full while a call is in flight, before
// another run begins, and when its answer, too long to travel inline, comes. No
// answer that was paid for is lost or bought again; what has to be written by the
// user's own command is refused with one line; and with space everything goes on.
func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	sideBySide(t, []string{"sqlite", "filesystem"}, func(t *testing.T, store string) {
		s := newStage(t)
		disk := testenv.SmallDisk(t, 16<<20)
		s.data = disk.Path()
		s.env = append(s.env, "TUTTI_STORE="+store, "TUTTI_DATA_DIR="+s.data)
		s.write("long.txt", strings.Repeat("a line of text\n", 8<<10))
		s.worker()
		submit := []string{"x", "--backend", "provider"}
		short := s.detach(append(submit, "--chain", "architect -> reviewer", "--model", "fake/hold-1")...)
		s.called("hold-1", 1)
		s.settled(1)

		disk.Fill()
		require.NoError(t, s.fake.Release(t.Context(), ""))
		long := s.detach(append(submit, "--chain", "architect -> reviewer", "--model", "fake/fill-200000")...)
		s.called("fill-200000", 1)
		record := s.finish(short)
		require.Equal(t, run.Completed, record.Status, "a short answer travels without the store")
		require.Equal(t, 2, s.calls("hold-1"))
		refused := s.refused(5, "submit", "x", "-f", "long.txt", "--chain", "architect", "--detach")
		require.Contains(t, refused, "tutti doctor")
		require.Regexp(t, "disk is full|no space left", refused)
		doctor, code := s.tutti("doctor")
		require.Equal(t, 5, code, doctor.Output())
		require.Contains(t, doctor.Stdout(), "its disk is full")
		require.Equal(t, run.Running, s.show(long).Status, "a long answer waits for space")

		disk.Free()
		record = s.finish(long)
		require.Equal(t, run.Completed, record.Status)
		require.Equal(t, 2, s.calls("fill-200000"), "no answer was lost")
		require.Equal(t, 200_000, record.Tasks[0].OutputSize)
		s.settled(2)
		require.Len(t, strings.TrimSpace(s.must("run", "output", long)), 200_000)
		s.requireNoLeftovers()
		testenv.Seen(t, "%s on a full disk: a short run %s; submit and doctor exit 5; with space the long one is %s, %d calls", store, run.Completed, record.Status, s.calls("fill-200000"))
	})
}

// requireNoLeftovers requires that no half-written file stays behind.
func (s *stage) requireNoLeftovers() {
	s.t.Helper()
	require.NoError(s.t, filepath.WalkDir(s.data, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // It was in use a moment ago.
		}
		require.NotContains(s.t, d.Name(), ".tmp", path)
		return err
	}))
}
