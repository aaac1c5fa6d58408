package projector

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/memory"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestOneOfSeveralProcessesSweepsAndAnotherTakesOver(t *testing.T) {
	t.Parallel()
	mirror := memory.New()
	sweeper := func() string {
		held, err := mirror.LoadLease(t.Context(), store.SweeperLease)
		require.NoError(t, err)
		return held.Holder
	}
	stop := make(map[string]context.CancelFunc)
	ended := make(map[string]chan struct{})
	for _, name := range []string{"a", "b", "c"} {
		ctx, cancel := context.WithCancel(t.Context())
		stop[name], ended[name] = cancel, make(chan struct{})
		p := New(answers{"run-1": nil}, mirror, NewDirty(), Options{Name: name, SweepEvery: 5 * time.Millisecond})
		go func() {
			defer close(ended[name])
			p.Run(ctx)
		}()
	}
	for range len(stop) {
		testenv.Eventually(t, 10*time.Second, "somebody sweeps", func() error {
			if sweeper() == "" {
				return errors.New("nobody does")
			}
			return nil
		})
		name := sweeper()
		require.Contains(t, stop, name, "one that runs")
		stop[name]()
		<-ended[name]
		delete(stop, name)
		require.NotEqual(t, name, sweeper(), "who stops lets go")
	}
	_, err := mirror.LoadRun(t.Context(), "default", "run-1")
	require.NoError(t, err)
}

func TestASweepStopsWhenAnotherProcessHasTheLease(t *testing.T) {
	t.Parallel()
	mirror := memory.New()
	granted, err := mirror.AcquireLease(t.Context(), store.SweeperLease, "another", time.Hour)
	require.NoError(t, err)
	require.True(t, granted)
	p := New(answers{"run-1": nil}, mirror, NewDirty(), Options{})
	require.ErrorIs(t, p.Sweep(t.Context(), time.Now(), true), errNotSweeper)
	_, err = mirror.LoadRun(t.Context(), "default", "run-1")
	require.ErrorIs(t, err, store.ErrNotFound)
}

// TestRowsThatCannotBeFoldedAgainHoldUpNoOther: more of them than a page holds.
func TestRowsThatCannotBeFoldedAgainHoldUpNoOther(t *testing.T) {
	t.Parallel()
	mirror := memory.New()
	source := answers{}
	save := func(id string, builder int) {
		_, err := mirror.SaveRun(t.Context(), store.Snapshot{
			Record: run.Record{RunID: id, TenantID: "default", LastEventID: 1}, Builder: builder,
		})
		require.NoError(t, err)
	}
	for n := range outdatedBatch + 5 {
		id := fmt.Sprintf("run-%03d", n)
		source[id] = errors.New("event 7 does not decode")
		save(id, history.Builder-1)
	}
	source["run-last"] = nil
	save("run-last", history.Builder-1)
	p := New(source, mirror, NewDirty(), Options{})
	require.NoError(t, p.sweepOutdated(t.Context()))
	row, err := mirror.LoadRun(t.Context(), "default", "run-last")
	require.NoError(t, err)
	require.Equal(t, history.Builder, row.Builder)
}
