package postgres

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// population is how many runs the lists are measured with.
const population = 100_000

// many fills the mirror with runs of four tenants, in every status, of eleven
// chains and three backends.
func many(t testing.TB, s *Store) {
	t.Helper()
	var named []string
	for _, status := range run.Statuses() {
		named = append(named, string(status))
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	encoded, err := store.Encode(store.Snapshot{Record: run.Record{
		TenantID: "tenant-1", RunID: "run-0123456789abcdef", CreatedAt: &at, Status: run.Completed,
		Request: run.Request{Text: strings.Repeat("what was asked for ", 20), Summary: "what was asked for"},
		Tasks: []run.Task{
			{ID: "architect", Seq: 1, Output: strings.Repeat("an answer ", 50)}, {ID: "engineer", Seq: 2}, {ID: "reviewer", Seq: 3},
		},
	}})
	require.NoError(t, err)
	_, err = s.pool.Exec(t.Context(), `
insert into tutti.runs (tenant_id, run_id, status, degraded, temporal_run_id, last_event_id, builder_version,
  created_at, request_text_size, chain_name, worker_backend, unpriced_calls, calls_uncertain, prompt_format,
  cancel_requested, is_terminal, more_rejected_signals, raw_bytes, listing, record)
select 'tenant-' || n % 4, 'run-' || n, ($1::text[])[1 + n % 9], false, 't', 1, 1,
  timestamptz '2026-01-01' + n * interval '1 s', 0, 'chain-' || n % 11, 'backend-' || n % 3, 0, 0, 1,
  false, n % 9 > 2, 0, 0, $2, $2
from generate_series(1, $3) n`, named, encoded.Listing, population)
	require.NoError(t, err)
	_, err = s.pool.Exec(t.Context(), `analyze tutti.runs`)
	require.NoError(t, err)
}

// TestPlans: a page is a walk along an index in the list's order. Only where
// pages of several statuses are merged, or where two conditions leave few runs,
// what an index has found is sorted.
func TestPlans(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	many(t, s)

	place := &store.Cursor{CreatedAt: time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC), RunID: "run-7"}
	for name, c := range map[string]struct {
		query  store.Query
		after  *store.Cursor
		sorted bool
	}{
		"all":             {store.Query{}, nil, false},
		"next page":       {store.Query{}, place, false},
		"since":           {store.Query{Since: place.CreatedAt}, nil, false},
		"one status":      {store.Query{Statuses: []run.Status{run.Running}}, place, false},
		"chain":           {store.Query{Chain: "chain-3"}, place, false},
		"backend":         {store.Query{Backend: "backend-1"}, place, false},
		"chain, status":   {store.Query{Chain: "chain-3", Statuses: []run.Status{run.Errored}}, place, true},
		"every status":    {store.Query{Statuses: run.Statuses()}, place, true},
		"prefix of an ID": {store.Query{IDPrefix: "run-1234"}, nil, true},
	} {
		c.query.Tenant = "tenant-1"
		sql, args := listing(c.query, 50, c.after)
		plan := strings.Join(column(t, s, "explain (costs off) "+sql, args...), "\n")
		require.Contains(t, plan, "Index", "%s:\n%s", name, plan)
		require.NotContains(t, plan, "Seq Scan", "%s:\n%s", name, plan)
		if !c.sorted {
			require.NotContains(t, plan, "Sort", "%s:\n%s", name, plan)
		}
	}
	outdated := strings.Join(column(t, s, `explain (costs off)
select tenant_id, run_id from tutti.runs where builder_version < 2 and (builder_version, tenant_id, run_id) > (1, 'tenant-1', 'run-1')
order by builder_version, tenant_id, run_id limit 100`), "\n")
	require.Contains(t, outdated, "runs_by_builder", outdated)
	require.NotContains(t, outdated, "Sort", outdated)
	plan := strings.Join(column(t, s, `explain (costs off)
select tenant_id, run_id, temporal_run_id, last_event_id from tutti.runs
where not is_terminal and (tenant_id, run_id) > ('tenant-1', 'run-1') order by tenant_id, run_id limit 100`), "\n")
	require.Contains(t, plan, "runs_open", plan)
}

// TestSavingReadsNoWholeTable: a connection plans its statements while the table is
// empty, and keeps the plans when it has grown.
func TestSavingReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	dsn := testenv.Postgres(t)
	_, _, err := Migrate(t.Context(), dsn)
	require.NoError(t, err)
	s, err := Open(t.Context(), dsn, Options{MaxConns: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	const batches, each = 60, 5
	for batch := range batches {
		var list []store.Projection
		var asked []store.Open
		for n := range each {
			id := fmt.Sprintf("run-%d", batch*each+n)
			list = append(list, store.Projection{Snapshot: store.Snapshot{
				Record: run.Record{TenantID: "t", RunID: id, Tasks: []run.Task{{ID: "a", Seq: 1}}},
				Events: []run.Stamped{{Event: run.TaskScheduled{OfTask: run.OfTask{TaskID: "a"}}}},
			}})
			asked = append(asked, store.Open{Tenant: "t", RunID: id})
		}
		require.NoError(t, s.SaveAll(t.Context(), list))
		_, err := s.EndedRuns(t.Context(), 1, asked)
		require.NoError(t, err)
	}
	_, err = s.pool.Exec(t.Context(), `select pg_stat_force_next_flush()`)
	require.NoError(t, err)
	for _, table := range []string{"runs", "tasks", "run_events"} {
		var written, scanned int64
		require.NoError(t, s.pool.QueryRow(t.Context(), `
select n_tup_ins, seq_tup_read from pg_stat_user_tables where schemaname = 'tutti' and relname = $1`, table).Scan(&written, &scanned))
		require.Equal(t, int64(batches*each), written, table)
		require.Zero(t, scanned, "%s: rows read by scans of the whole table", table)
	}
}
