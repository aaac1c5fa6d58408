package main_test

import (
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// C1b: the worker is killed while the second of three tasks is in flight.
func TestAKilledWorkersRunGoesOnAndNothingFinishedIsCalledAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/three.yaml", threeModels)
	w := s.worker()
	id := s.detach("x", "--chain", "three", "--backend", "provider")
	s.called("hold-2", 1)
	require.Equal(t, 1, s.calls("echo-1"))

	w.Kill9()
	require.NoError(t, s.fake.Release(t.Context(), ""))
	s.worker()
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 1, s.calls("echo-1"), "a finished task is not called again")
	require.Equal(t, 2, s.calls("hold-2"), "the call in flight is repeated once")
	require.Equal(t, 1, s.calls("echo-3"))
	require.Equal(t, 1, record.Usage.CallsUncertain, "the call that was lost is not hidden")
	testenv.Seen(t, "calls of the three tasks: %d, %d, %d; callsUncertain %d; the run is %s",
		s.calls("echo-1"), s.calls("hold-2"), s.calls("echo-3"), record.Usage.CallsUncertain, record.Status)
}

// C10: a stopping worker finishes the call in flight and takes no more.
func TestAStoppingWorkerFinishesItsCalls(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".tutti/chains/three.yaml", threeModels)
	w := s.worker()
	id := s.detach("x", "--chain", "three", "--backend", "provider")
	s.called("hold-2", 1)
	w.Signal(syscall.SIGTERM)
	w.WaitForLine(regexp.MustCompile(`takes no more`), patience)
	require.NoError(t, s.fake.Release(t.Context(), ""))
	code := w.Wait(patience)
	require.Zero(t, code, w.Output())
	require.Equal(t, 1, s.calls("hold-2"))
	require.Zero(t, s.calls("echo-3"), "it takes no more")

	s.worker()
	record := s.finish(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, 1, s.calls("hold-2"))
	require.Zero(t, record.Usage.CallsUncertain)
	testenv.Seen(t, "exit %d with %d call in flight finished and none taken; under the next worker the run is %s", code, s.calls("hold-2"), record.Status)
}
