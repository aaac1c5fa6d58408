package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

func testLeases(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	acquire := func(name, holder string, lasts time.Duration) bool {
		t.Helper()
		granted, err := st.AcquireLease(ctx, name, holder, lasts)
		require.NoError(t, err)
		return granted
	}
	held, err := st.LoadLease(ctx, "sweeper")
	require.NoError(t, err)
	require.Zero(t, held)

	granted := make([]bool, 12)
	var group errgroup.Group
	for i := range granted {
		group.Go(func() (err error) {
			granted[i], err = st.AcquireLease(ctx, "sweeper", fmt.Sprint("worker ", i), time.Hour)
			return err
		})
	}
	require.NoError(t, group.Wait())
	held, err = st.LoadLease(ctx, "sweeper")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), held.Until, time.Minute)
	for i, has := range granted {
		require.Equal(t, held.Holder == fmt.Sprint("worker ", i), has, "one of many has it")
	}
	require.True(t, acquire("other", "somebody", time.Hour), "each job has a lease of its own")
	require.NoError(t, st.ReleaseLease(ctx, "sweeper", "somebody"))
	require.False(t, acquire("sweeper", "somebody", time.Hour), "nobody gives back what another holds")

	// Renewed so short that it is over at once, as with a holder that was killed.
	require.True(t, acquire("sweeper", held.Holder, -time.Second))
	gone, err := st.LoadLease(ctx, "sweeper")
	require.NoError(t, err)
	require.Zero(t, gone)
	require.True(t, acquire("sweeper", "somebody", time.Hour))
	require.False(t, acquire("sweeper", held.Holder, time.Hour))
	require.NoError(t, st.ReleaseLease(ctx, "sweeper", "somebody"))
	require.True(t, acquire("sweeper", held.Holder, time.Hour))
}

func testArchive(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	history := func(tenant, runID, temporalRunID string, closed time.Duration) ledger.History {
		return ledger.History{
			HistoryKey: ledger.HistoryKey{Tenant: tenant, RunID: runID}, TemporalRunID: temporalRunID,
			LastEventID: 23, ClosedAt: store.Micro(*at(closed)), Codec: "zstd", Body: []byte("\x00\xff of " + temporalRunID),
		}
	}
	_, err := st.LoadHistory(ctx, "a", id(1))
	require.ErrorIs(t, err, ledger.ErrNoHistory)
	first, second, other := history("a", id(1), "t1", 0), history("a", id(1), "t2", time.Second), history("ü", id(1), "t3", 0)
	for _, h := range []ledger.History{second, first, other, history("a", id(2), "t4", 0)} {
		require.NoError(t, st.SaveHistory(ctx, h))
	}
	changed := first
	changed.Body = []byte("something else")
	require.NoError(t, st.SaveHistory(ctx, changed))

	got, err := st.LoadHistory(ctx, "a", id(1))
	require.NoError(t, err)
	require.Equal(t, second, got, "the one that closed last is the run's")
	got, err = st.LoadHistory(ctx, "ü", id(1))
	require.NoError(t, err)
	require.Equal(t, other, got)
	_, err = st.LoadHistory(ctx, "ü", id(2))
	require.ErrorIs(t, err, ledger.ErrNoHistory, "another tenant's is none")

	want := []ledger.HistoryKey{{Tenant: "a", RunID: id(1)}, {Tenant: "a", RunID: id(2)}, {Tenant: "ü", RunID: id(1)}}
	for _, limit := range []int{0, 1, 2} {
		var all []ledger.HistoryKey
		var after ledger.HistoryKey
		for {
			page, err := st.ListHistories(ctx, after, limit)
			require.NoError(t, err)
			if len(page) == 0 {
				break
			}
			all = append(all, page...)
			after = page[len(page)-1]
		}
		require.Equal(t, want, all, "limit %d", limit)
	}
}

func testSpecialists(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	row := ledger.SpecialistRow{Tenant: tenant, Name: "größe", Version: "1.0.0+habc", ID: "uuid", Definition: []byte("You \x00 are.")}
	for range 2 {
		require.NoError(t, st.RecordSpecialist(t.Context(), row))
	}
	for _, change := range []func(*ledger.SpecialistRow){
		func(r *ledger.SpecialistRow) { r.Definition = []byte("You \x00 are!") },
		func(r *ledger.SpecialistRow) { r.ID = "another" },
	} {
		changed := row
		change(&changed)
		require.ErrorIs(t, st.RecordSpecialist(t.Context(), changed), ledger.ErrSpecialistChanged)
	}
	for _, change := range []func(*ledger.SpecialistRow){
		func(r *ledger.SpecialistRow) { r.Version = "1.0.0+hdef" },
		func(r *ledger.SpecialistRow) { r.Tenant = "other" },
		func(r *ledger.SpecialistRow) { r.Name = "other" },
	} {
		another := row
		change(&another)
		another.Definition = []byte("other content")
		require.NoError(t, st.RecordSpecialist(t.Context(), another))
	}
	require.NoError(t, st.RecordSpecialist(t.Context(), row), "it stands as it was")
}

func testGarbage(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	digest := content.Digest
	for _, text := range []string{"used", "unused", "of an answer"} {
		require.NoError(t, st.PutContent(ctx, tenant, digest(text), []byte(text)))
	}
	old := start().Truncate(time.Microsecond)
	for _, runID := range []string{id(1), id(2)} {
		key := ledger.CallKey{Tenant: tenant, RunID: runID, TaskID: "a", Call: 1}
		_, err := st.SaveAnswer(ctx, ledger.Answer{CallKey: key, PromptSHA256: "p", Body: []byte(digest("of an answer")), StoredAt: old})
		require.NoError(t, err)
		_, err = st.BeginAttempt(ctx, ledger.Attempt{CallKey: key, Source: runID, Kind: "model", StartedAt: old})
		require.NoError(t, err)
	}
	named := map[string]bool{digest("used"): true}
	require.NoError(t, st.EachAnswer(ctx, func(body []byte) error {
		named[string(body)] = true
		return nil
	}))
	require.Len(t, named, 2)
	used := ledger.Used{Contents: named, Runs: map[string]bool{id(1): true}}

	young, err := st.Discard(ctx, old.Add(-time.Hour), used, false)
	require.NoError(t, err)
	require.Zero(t, young)
	future := time.Now().Add(time.Hour)
	want := ledger.Discarded{Contents: 1, Bytes: int64(len("unused")), Answers: 1, Attempts: 1}
	for _, dryRun := range []bool{true, true, false} {
		got, err := st.Discard(ctx, future, used, dryRun)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	again, err := st.Discard(ctx, future, used, false)
	require.NoError(t, err)
	require.Zero(t, again)

	_, err = st.GetContent(ctx, tenant, digest("unused"))
	require.ErrorIs(t, err, content.ErrNotFound)
	for _, text := range []string{"used", "of an answer"} {
		kept, err := st.GetContent(ctx, tenant, digest(text))
		require.NoError(t, err)
		require.Equal(t, text, string(kept))
	}
	for runID, n := range map[string]int{id(1): 1, id(2): 0} {
		list, err := st.Attempts(ctx, ledger.CallKey{Tenant: tenant, RunID: runID, TaskID: "a", Call: 1})
		require.NoError(t, err)
		require.Len(t, list, n)
	}
}

// testRebuild: a row whose content is not what its version says is mended by a
// rebuild and by nothing else.
func testRebuild(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	wrong := snapshot(record(tenant, id(1)), 5)
	wrong.Record.Request.Summary = "tampered"
	wrong.Events[2].EventID = 77
	require.True(t, save(t, st, wrong))
	right := snapshot(record(tenant, id(1)), 5)
	require.False(t, save(t, st, right))
	right.Rebuild = true
	require.True(t, save(t, st, right))
	right.Rebuild = false
	requireStored(t, st, right)
}
