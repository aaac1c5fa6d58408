package main_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// C9: Temporal is stopped in order or killed, and started again on its file, while
// a call is in flight and another run waits for a host. The call's answer comes
// back while the server is away, or after.
func TestRunsGoOnWhenTemporalIsRestarted(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		stop          func(*testenv.TemporalServer)
		answeredWhile bool
	}{
		"stopped, answered after": {(*testenv.TemporalServer).Stop, false},
		"killed, answered while":  {(*testenv.TemporalServer).Kill9, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testenv.StartTemporal(t, filepath.Join(t.TempDir(), "temporal.db"))
			s := newStageAt(t, server.HostPort(), server.Namespace())
			w := s.worker()
			called := s.detach("x", "--chain", "architect -> reviewer", "--backend", "provider", "--model", "fake/hold-1")
			waiting := s.host("x", "--chain", "architect -> reviewer")
			s.called("hold-1", 1)

			end.stop(server)
			require.Contains(t, s.refused(5, "run", "show", called, "--json"), "temporal cannot be reached")
			if end.answeredWhile {
				require.NoError(t, s.fake.Release(t.Context(), ""))
			}
			server.Start()
			require.NoError(t, s.fake.Release(t.Context(), ""))

			record := s.finish(called)
			require.Equal(t, run.Completed, record.Status)
			require.Equal(t, 2, s.calls("hold-1"), "each task asked once")
			require.Zero(t, record.Usage.CallsUncertain)
			s.accepted(waiting, "architect", "the design")
			require.Equal(t, run.Completed, s.accepted(waiting, "reviewer", "fine").RunStatus)
			s.settled(2)
			require.Zero(t, w.Stop(), w.Output())
			testenv.Seen(t, "%s: the run is %s, each task asked once; the waiting run too went on to its end", name, record.Status)
		})
	}
}
