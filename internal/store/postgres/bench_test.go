package postgres

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// BenchmarkSaveRun saves growing projections of one run after the other, of
// three tasks and three new events each.
func BenchmarkSaveRun(b *testing.B) {
	dsn := testenv.Postgres(b)
	_, _, err := Migrate(b.Context(), dsn)
	require.NoError(b, err)
	s, err := Open(b.Context(), dsn, Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()

	at := time.Unix(1, 0).UTC()
	tasks := []run.Task{{ID: "a", Seq: 1}, {ID: "b", Seq: 2}, {ID: "c", Seq: 3}}
	var snapshot store.Snapshot
	for i := 0; b.Loop(); i++ {
		if i%10 == 0 {
			snapshot = store.Snapshot{Record: run.Record{
				TenantID: "t", RunID: fmt.Sprint("run-", i), CreatedAt: &at, Tasks: tasks,
			}}
		}
		snapshot.Record.LastEventID++
		for range 3 {
			snapshot.Events = append(snapshot.Events, run.Stamped{Event: run.TaskScheduled{OfTask: run.OfTask{TaskID: "a"}}, At: at})
		}
		saved, err := s.SaveRun(b.Context(), snapshot)
		require.NoError(b, err)
		require.True(b, saved)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "saves/s")
}

// BenchmarkListRuns reads pages of 50 among 100,000 runs: the first, one deep down,
// and with each filter. Bytes for each page are the same wherever it begins.
func BenchmarkListRuns(b *testing.B) {
	dsn := testenv.Postgres(b)
	_, _, err := Migrate(b.Context(), dsn)
	require.NoError(b, err)
	s, err := Open(b.Context(), dsn, Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	many(b, s)
	deep := store.Cursor{CreatedAt: time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC), RunID: "run-7"}.String()
	for name, q := range map[string]store.Query{
		"first page":     {},
		"deep page":      {Cursor: deep},
		"status":         {Statuses: []run.Status{run.Running}, Cursor: deep},
		"every status":   {Statuses: run.Statuses(), Cursor: deep},
		"chain":          {Chain: "chain-3", Cursor: deep},
		"chain, status":  {Chain: "chain-3", Statuses: []run.Status{run.Errored}},
		"backend, since": {Backend: "backend-1", Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
		"prefix":         {IDPrefix: "run-1234"},
	} {
		q.Tenant = "tenant-1"
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				page, err := s.ListRuns(b.Context(), q)
				require.NoError(b, err)
				require.NotEmpty(b, page.Runs)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
		})
	}
}
