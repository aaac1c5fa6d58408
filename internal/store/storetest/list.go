package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// saveAt saves a run that was created at the offset.
func saveAt(t testing.TB, st store.Store, n int, offset time.Duration) string {
	t.Helper()
	r := record(tenant, id(n))
	r.CreatedAt = at(offset)
	require.True(t, save(t, st, snapshot(r, 1)))
	return r.RunID
}

func testPaging(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	var want []string
	for n := range 20 {
		// Four of a kind: the same second, and times of which a database keeps no
		// difference. Among those the run ID decides.
		want = append(want, saveAt(t, st, n, time.Duration(n/4)*time.Second+time.Duration(n%4)))
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 3, 4, 10, 19, 20, 21} {
		got, count := pages(t.Context(), t, st, store.Query{Tenant: tenant, Limit: limit})
		require.Equal(t, want, got, "limit %d", limit)
		require.Equal(t, (len(want)+limit-1)/limit, count, "limit %d: no empty page", limit)
	}
	none, err := st.ListRuns(t.Context(), store.Query{Tenant: "nobody"})
	require.NoError(t, err)
	require.Empty(t, none.Runs)
	require.Empty(t, none.NextCursor)
	_, err = st.ListRuns(t.Context(), store.Query{Tenant: tenant, Cursor: "not a cursor"})
	require.ErrorIs(t, err, store.ErrCursor)
}

// testPagingWhileInserted: runs that come while somebody pages neither repeat
// nor hide one that was there.
func testPagingWhileInserted(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	var want, got []string
	for n := range 12 {
		want = append(want, saveAt(t, st, n, time.Duration(n)*time.Minute))
	}
	slices.Reverse(want)
	query := store.Query{Tenant: tenant, Limit: 5}
	for n := 100; ; n++ {
		page, err := st.ListRuns(t.Context(), query)
		require.NoError(t, err)
		for _, r := range page.Runs {
			got = append(got, r.RunID)
		}
		if query.Cursor = page.NextCursor; query.Cursor == "" {
			break
		}
		saveAt(t, st, n, time.Duration(n)*time.Minute)
	}
	require.Equal(t, want, got)
}

func testFilters(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	chains, backends := []string{"pair", "solo"}, []string{"inline", "provider", "mixed"}
	var all []run.Record
	for _, status := range run.Statuses() {
		for i := range 6 {
			r := record(tenant, id(len(all)))
			r.Status, r.Chain.Name, r.WorkerBackend = status, chains[i%2], backends[i%3]
			r.CreatedAt = at(time.Duration(len(all)) * time.Minute)
			require.True(t, save(t, st, snapshot(r, 1)))
			all = append(all, r)
		}
	}
	slices.Reverse(all)
	for name, c := range map[string]struct {
		query store.Query
		keep  func(run.Record) bool
	}{
		"none":        {store.Query{}, func(run.Record) bool { return true }},
		"one status":  {store.Query{Statuses: []run.Status{run.Degraded}}, func(r run.Record) bool { return r.Status == run.Degraded }},
		"chain":       {store.Query{Chain: "solo"}, func(r run.Record) bool { return r.Chain.Name == "solo" }},
		"backend":     {store.Query{Backend: "mixed"}, func(r run.Record) bool { return r.WorkerBackend == "mixed" }},
		"since":       {store.Query{Since: *at(20 * time.Minute)}, func(r run.Record) bool { return !r.CreatedAt.Before(*at(20 * time.Minute)) }},
		"since never": {store.Query{Since: *at(99 * time.Hour)}, func(run.Record) bool { return false }},
		"prefix":      {store.Query{IDPrefix: "run-000000000000001"}, func(r run.Record) bool { return strings.HasPrefix(r.RunID, "run-000000000000001") }},
		"whole ID":    {store.Query{IDPrefix: id(5)}, func(r run.Record) bool { return r.RunID == id(5) }},
		"no wildcard": {store.Query{IDPrefix: "run%"}, func(run.Record) bool { return false }},
		"two statuses, one twice": {
			store.Query{Statuses: []run.Status{run.Running, run.Planned, run.Running}},
			func(r run.Record) bool { return r.Status == run.Running || r.Status == run.Planned },
		},
		"everything": {
			store.Query{Statuses: run.Statuses(), Chain: "pair", Backend: "provider", Since: *at(10 * time.Minute), IDPrefix: "run-"},
			func(r run.Record) bool {
				return r.Chain.Name == "pair" && r.WorkerBackend == "provider" && !r.CreatedAt.Before(*at(10 * time.Minute))
			},
		},
		"nothing": {store.Query{Chain: "pair", Backend: "provided"}, func(run.Record) bool { return false }},
	} {
		var want []string
		for _, r := range all {
			if c.keep(r) {
				want = append(want, r.RunID)
			}
		}
		c.query.Tenant, c.query.Limit = tenant, 4
		got, _ := pages(t.Context(), t, st, c.query)
		require.Equal(t, want, got, name)
	}
}

// testShortListing: a page holds no long text, and says what was left out.
func testShortListing(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	long := strings.Repeat("long ", 1000)
	r := record(tenant, id(1))
	r.Request.Text, r.FinalMessage = long, long
	r.Tasks[0].Output, r.Tasks[0].OutputSHA256 = long, content.Digest(long)
	r.Tasks[0].Prompt.System = content.Of(long)
	r.Tasks[1].HostPrompt.User = long
	require.True(t, save(t, st, snapshot(r, 1)))

	page, err := st.ListRuns(t.Context(), store.Query{Tenant: tenant})
	require.NoError(t, err)
	require.Len(t, page.Runs, 1)
	r.LastEventID = 1
	require.Equal(t, store.Listing(r), page.Runs[0])
	require.NotContains(t, asJSON(t, page.Runs), "long long")
	require.Contains(t, asJSON(t, page.Runs), content.Digest(long))
	requireStored(t, st, snapshot(r, 1))
}
