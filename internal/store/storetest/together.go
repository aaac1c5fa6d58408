package storetest

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// testSavesTogether saves several projections at once: each is kept or passed over
// as if it had come alone, and each history stays.
func testSavesTogether(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	stale := snapshot(record(tenant, id(2)), 9)
	require.True(t, save(t, st, stale))
	list := []store.Projection{
		{Snapshot: snapshot(record("other", id(1)), 700), History: historyOf("other", id(1))},
		{Snapshot: snapshot(record(tenant, id(3)), 3)},
		{Snapshot: snapshot(record(tenant, id(2)), 4), History: historyOf(tenant, id(2))},
		{Snapshot: snapshot(record(tenant, id(1)), 1100), History: historyOf(tenant, id(1))},
	}
	for range 2 { // The second time nothing changes.
		require.NoError(t, st.SaveAll(t.Context(), list))
		for _, p := range list {
			want := p.Snapshot
			if want.Record.RunID == stale.Record.RunID {
				want = stale
			}
			requireStored(t, st, want)
			if p.History == nil {
				continue
			}
			kept, err := st.LoadHistory(t.Context(), p.History.Tenant, p.History.RunID)
			require.NoError(t, err)
			require.Equal(t, *p.History, kept)
		}
	}
	_, err := st.LoadHistory(t.Context(), tenant, id(3))
	require.ErrorIs(t, err, ledger.ErrNoHistory)
	require.NoError(t, st.SaveAll(t.Context(), nil))

	longer := snapshot(record(tenant, id(1)), 1700)
	require.NoError(t, st.SaveAll(t.Context(), []store.Projection{{Snapshot: longer}}))
	requireStored(t, st, longer)
}

// testSavesTogetherAtOnce: lists of the same runs, in any order and from many sides,
// do not wait for each other in a circle.
func testSavesTogetherAtOnce(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	const savers, last, several = 6, 12, 5
	errs := make(chan error, savers*last)
	var saving sync.WaitGroup
	for range savers {
		saving.Go(func() {
			for _, i := range rand.Perm(last) {
				var list []store.Projection
				for _, n := range rand.Perm(several) {
					list = append(list, store.Projection{Snapshot: snapshot(record(tenant, id(n)), int64(i+1)), History: historyOf(tenant, id(n))})
				}
				errs <- st.SaveAll(t.Context(), list)
			}
		})
	}
	saving.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	for n := range several {
		requireStored(t, st, snapshot(record(tenant, id(n)), last))
	}
}

func historyOf(tenant, runID string) *ledger.History {
	return &ledger.History{
		HistoryKey: ledger.HistoryKey{Tenant: tenant, RunID: runID}, TemporalRunID: "temporal-1",
		LastEventID: 9, ClosedAt: store.Micro(start()), Codec: "bytes", Body: []byte("\x00 all of it"),
	}
}
