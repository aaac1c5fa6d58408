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
