package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/store"
)

// Observe finds out what an adapter is capable of.
func Observe(t testing.TB, subject Subject) Capabilities {
	t.Helper()
	found := func(st store.Store, runID string) bool {
		_, err := st.LoadRun(t.Context(), tenant, runID)
		if !errors.Is(err, store.ErrNotFound) {
			require.NoError(t, err)
		}
		return err == nil
	}
	place := subject.Place(t)
	first, err := subject.Open(t.Context(), place)
	require.NoError(t, err)
	require.True(t, save(t, first, snapshot(record(tenant, id(2)), 1)))
	require.NoError(t, first.Close())

	second := subject.open(t, place)
	require.NoError(t, startChild(t, place, "observed", 1, func(acknowledged) bool { return true }))
	return Capabilities{Durable: found(second, id(2)), Shared: found(second, id(1))}
}

// testProcesses: four processes work on one run at once.
func testProcesses(t *testing.T, subject Subject) {
	const children, rounds = 4, 12
	place := subject.Place(t)
	var mu sync.Mutex
	var heard []acknowledged
	var group errgroup.Group
	for i := range children {
		group.Go(func() error {
			return startChild(t, place, fmt.Sprint("child", i), rounds, func(done acknowledged) bool {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, done)
				return true
			})
		})
	}
	require.NoError(t, group.Wait())
	require.Len(t, heard, children*rounds)

	st := subject.open(t, place)
	requireStored(t, st, snapshot(record(tenant, id(1)), rounds))
	var numbers []int
	for _, done := range heard {
		numbers = append(numbers, done.Attempt)
		require.Equal(t, heard[0].Answer, done.Answer, "there is one answer")
		_, err := st.GetContent(t.Context(), tenant, done.Content)
		require.NoError(t, err)
	}
	slices.Sort(numbers)
	for i, number := range numbers {
		require.Equal(t, i+1, number, "attempts have no gap and no twin")
	}
	answer, err := st.LoadAnswer(t.Context(), callKey(), "p")
	require.NoError(t, err)
	require.Equal(t, heard[0].Answer, string(answer.Body))
}

// testCrash kills a process in the middle of its work: what it was told to be
// saved is there, whole, and the next process goes on.
func testCrash(t *testing.T, subject Subject) {
	place := subject.Place(t)
	var last acknowledged
	require.NoError(t, startChild(t, place, "doomed", 0, func(done acknowledged) bool {
		last = done
		return done.LastEventID < 20
	}))
	st := subject.open(t, place)
	stored, err := st.LoadRun(t.Context(), tenant, id(1))
	require.NoError(t, err)
	require.GreaterOrEqual(t, stored.Record.LastEventID, last.LastEventID)
	requireStored(t, st, snapshot(record(tenant, id(1)), stored.Record.LastEventID))
	_, err = st.GetContent(t.Context(), tenant, last.Content)
	require.NoError(t, err)
	attempts, err := st.Attempts(t.Context(), callKey())
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(attempts), last.Attempt)

	number, err := st.BeginAttempt(t.Context(), attempt("the next process"))
	require.NoError(t, err)
	require.Equal(t, len(attempts)+1, number)
	answer, err := st.LoadAnswer(t.Context(), callKey(), "p")
	require.NoError(t, err)
	require.Equal(t, "doomed", string(answer.Body))
	require.True(t, save(t, st, snapshot(record(tenant, id(1)), stored.Record.LastEventID+1)))
}
