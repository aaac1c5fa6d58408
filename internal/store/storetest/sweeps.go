package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func testOpenRuns(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	var want []store.Open
	for _, tenant := range []string{"a", "b", "ü"} {
		for n, status := range run.Statuses() {
			r := record(tenant, id(n))
			r.Status = status
			require.True(t, save(t, st, snapshot(r, 4)))
			if !status.IsTerminal() {
				want = append(want, store.Open{Tenant: tenant, RunID: r.RunID, TemporalRunID: r.TemporalRunID, LastEventID: 4, Builder: 1})
			}
		}
	}
	for _, limit := range []int{0, 1, 2, 4, 100} {
		require.Equal(t, want, allOpen(t, st, limit), "limit %d", limit)
	}
	ended := record("b", id(1))
	ended.Status = run.Completed
	require.True(t, save(t, st, snapshot(ended, 5)))
	require.Len(t, allOpen(t, st, 2), len(want)-1)
}

func allOpen(t *testing.T, st store.Store, limit int) (all []store.Open) {
	t.Helper()
	after := ""
	for {
		list, err := st.OpenRuns(t.Context(), limit, after)
		require.NoError(t, err)
		if len(list) == 0 {
			return all
		}
		if limit > 0 {
			require.LessOrEqual(t, len(list), limit)
		}
		all = append(all, list...)
		after = list[len(list)-1].Key()
	}
}

func testOutdatedRuns(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	for n, builder := range []int{3, 1, 2, 1} {
		s := snapshot(record(tenant, id(n)), 2)
		s.Builder = builder
		require.True(t, save(t, st, s))
	}
	outdated := func(builder, limit int) (ids []string) {
		list, err := st.OutdatedRuns(t.Context(), builder, limit, store.Open{})
		require.NoError(t, err)
		for _, o := range list {
			require.Equal(t, store.Open{Tenant: tenant, RunID: o.RunID, TemporalRunID: "temporal-1", LastEventID: 2, Builder: o.Builder}, o)
			ids = append(ids, o.RunID)
		}
		return ids
	}
	require.Equal(t, []string{id(1), id(3), id(2)}, outdated(3, 0))
	require.Equal(t, []string{id(1), id(3)}, outdated(3, 2))
	require.Empty(t, outdated(1, 10))
	// A run that cannot be folded again stays where it is and holds up no other.
	var all []string
	var after store.Open
	for {
		page, err := st.OutdatedRuns(t.Context(), 3, 1, after)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		require.Len(t, page, 1)
		after = page[0]
		all = append(all, after.RunID)
	}
	require.Equal(t, outdated(3, 0), all)
	refolded := snapshot(record(tenant, id(1)), 2)
	refolded.Builder = 3
	require.True(t, save(t, st, refolded))
	require.Equal(t, []string{id(3), id(2)}, outdated(3, 10))
}

// testEndedRuns: an end counts when it is of the Temporal run that is asked for and
// of no older fold.
func testEndedRuns(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	put := func(tenant string, n int, status run.Status, builder int) store.Open {
		r := record(tenant, id(n))
		r.Status = status
		s := snapshot(r, 4)
		s.Builder = builder
		require.True(t, save(t, st, s))
		return store.Open{Tenant: tenant, RunID: id(n), TemporalRunID: r.TemporalRunID, LastEventID: 4, Builder: builder}
	}
	ended, newer, older := put("a", 1, run.Errored, 2), put("ü", 1, run.Completed, 3), put("a", 2, run.Completed, 1)
	open, reset := put("a", 3, run.Running, 2), put("a", 4, run.Completed, 2)
	reset.TemporalRunID = "temporal-2"
	asked := []store.Open{ended, newer, older, open, reset, {Tenant: "b", RunID: id(1), TemporalRunID: ended.TemporalRunID}}
	for i := range asked {
		asked[i].LastEventID, asked[i].Builder = 0, 0 // Who asks knows neither.
	}
	got, err := st.EndedRuns(t.Context(), 2, asked)
	require.NoError(t, err)
	require.ElementsMatch(t, []store.Open{ended, newer}, got)
	got, err = st.EndedRuns(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

func testWatermark(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	requireAt := func(want time.Time) {
		t.Helper()
		got, err := st.Watermark(t.Context())
		require.NoError(t, err)
		require.True(t, want.Equal(got), "%s, not %s", want, got)
	}
	requireAt(time.Time{})
	require.NoError(t, st.SetWatermark(t.Context(), *at(time.Hour)))
	requireAt(at(time.Hour).Truncate(time.Microsecond))
	require.NoError(t, st.SetWatermark(t.Context(), start()))
	requireAt(at(time.Hour).Truncate(time.Microsecond)) // it never goes back
	elsewhere := at(2 * time.Hour).In(time.FixedZone("", 3600))
	require.NoError(t, st.SetWatermark(t.Context(), elsewhere))
	requireAt(at(2 * time.Hour).Truncate(time.Microsecond))
}
