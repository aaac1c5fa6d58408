package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func testRoundTrip(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	for name, r := range map[string]run.Record{
		"whole":   record(tenant, id(1)),
		"minimal": {TenantID: tenant, RunID: id(2), Status: run.Planned},
		"odd ID":  record(tenant, "Überlauf / ../'%_\\ \U0010FFFF"),
		"long ID": record(tenant, fmt.Sprintf("%0900d", 7)),
	} {
		s := snapshot(r, r.LastEventID)
		require.True(t, save(t, st, s), name)
		requireStored(t, st, s)
	}
	_, err := st.LoadRun(t.Context(), tenant, id(99))
	require.ErrorIs(t, err, store.ErrNotFound)
}

// testOrderOfProjections is a life in which projections come late, twice and
// out of order, and Temporal resets the run.
func testOrderOfProjections(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	r := record(tenant, id(1))
	version := func(temporalRunID string, lastEventID int64, builder int, current bool) store.Snapshot {
		r := r
		r.TemporalRunID = temporalRunID
		r.Request.Summary = fmt.Sprintf("%s/%d/%d", temporalRunID, lastEventID, builder)
		s := snapshot(r, lastEventID)
		s.Builder, s.Current = builder, current
		return s
	}
	var stored store.Snapshot
	for i, step := range []struct {
		snapshot store.Snapshot
		wins     bool
	}{
		{version("a", 5, 1, false), true}, // the first of all wins
		{version("a", 5, 1, true), false}, // duplicate
		{version("a", 9, 1, true), true},
		{version("a", 7, 1, true), false}, // late
		{version("a", 7, 2, true), false}, // late, newer builder
		{version("a", 9, 2, true), true},  // newer builder
		{version("a", 9, 1, true), false}, // older builder
		{version("b", 50, 2, false), false},
		{version("b", 3, 2, true), true}, // reset: shorter, and current
		{version("a", 60, 2, false), false},
		{version("b", 4, 2, false), true}, // goes on, whoever is current
		{version("b", 9, 1, true), false}, // more, by an older builder
		{version("c", 9, 1, true), false}, // reset, by an older builder
	} {
		require.Equal(t, step.wins, save(t, st, step.snapshot), "step %d", i)
		if step.wins {
			stored = step.snapshot
		}
		requireStored(t, st, stored)
	}
	listed, err := st.ListRuns(t.Context(), store.Query{Tenant: tenant})
	require.NoError(t, err)
	require.Len(t, listed.Runs, 1)
	require.Equal(t, "b/4/2", listed.Runs[0].Request.Summary)
}

// testAllOrders saves four projections in every order: the last one stays.
func testAllOrders(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	last := []int64{2, 5, 6, 9}
	for n, order := range permutations(last) {
		r := record(tenant, id(n))
		highest := int64(0)
		for _, lastEventID := range order {
			won := save(t, st, snapshot(r, lastEventID))
			require.Equal(t, lastEventID > highest, won, "order %v", order)
			highest = max(highest, lastEventID)
		}
		requireStored(t, st, snapshot(r, last[len(last)-1]))
	}
}

func permutations(list []int64) [][]int64 {
	if len(list) == 0 {
		return [][]int64{nil}
	}
	var all [][]int64
	for i := range list {
		rest := append(append([]int64{}, list[:i]...), list[i+1:]...)
		for _, p := range permutations(rest) {
			all = append(all, append([]int64{list[i]}, p...))
		}
	}
	return all
}

// testEvents: later projections append, other ones replace.
func testEvents(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	r := record(tenant, id(1))
	s := snapshot(r, 3)
	s.Events = append(s.Events, run.Stamped{Event: run.Closed{}, At: start()}) // followed from others: no event ID
	require.True(t, save(t, st, s))
	requireStored(t, st, s)

	longer := snapshot(r, 600)
	longer.Events[3] = s.Events[3]
	require.True(t, save(t, st, longer))
	requireStored(t, st, longer)

	refolded := snapshot(r, 600)
	refolded.Builder = 2
	refolded.Events = []run.Stamped{{Event: run.CancelRequested{}, EventID: 7, At: start()}}
	require.True(t, save(t, st, refolded))
	requireStored(t, st, refolded)

	// A fold that contradicts its own beginning is stored as it is.
	other := snapshot(r, 601)
	other.Builder = 2
	require.True(t, save(t, st, other))
	requireStored(t, st, other)

	none := snapshot(r, 1)
	none.Builder = 2
	none.Record.TemporalRunID, none.Events = "temporal-2", nil
	require.True(t, save(t, st, none))
	requireStored(t, st, none)
}

// testSavesAtOnce: whoever saves at the same time, the greatest stays, and no
// reader sees one projection's record with another one's events.
func testSavesAtOnce(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	const savers, last = 8, 24
	r := record(tenant, id(1))
	errs := make(chan error, 2*savers)
	var saving, reading sync.WaitGroup
	done := make(chan struct{})
	for range savers {
		saving.Go(func() {
			for _, i := range rand.Perm(last) {
				_, err := st.SaveRun(t.Context(), snapshot(r, int64(i+1)))
				errs <- err
			}
		})
	}
	reading.Go(func() {
		for {
			got, err := st.LoadRun(t.Context(), tenant, id(1))
			if err == nil && int64(len(got.Events)) != got.Record.LastEventID {
				err = fmt.Errorf("%d events, and the record is of %d", len(got.Events), got.Record.LastEventID)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				errs <- err
				return
			}
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	go func() {
		saving.Wait()
		close(done)
		reading.Wait()
		close(errs)
	}()
	for err := range errs {
		require.NoError(t, err)
	}
	requireStored(t, st, snapshot(r, last))
}
