package projector_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// recorded is a source that has recorded histories under as many run IDs as are
// asked for, and says how long folding took.
type recorded struct {
	projector.Source
	histories [][]*historypb.HistoryEvent
	folding   time.Duration
}

// Whole implements projector.Source.
func (r *recorded) Whole(_ context.Context, runID string) (runs.Whole, error) {
	var n int
	if _, err := fmt.Sscanf(runID, "run-%d", &n); err != nil {
		return runs.Whole{}, err
	}
	return runs.Whole{RunID: runID, TemporalRunID: "t-" + runID, Events: r.histories[n%len(r.histories)]}, nil
}

// Fold implements projector.Source.
func (r *recorded) Fold(w runs.Whole) (history.Folded, error) {
	begun := time.Now()
	defer func() { r.folding += time.Since(begun) }()
	return history.Fold(w.RunID, w.TemporalRunID, w.Events, converter.GetDefaultDataConverter())
}

// timed is a store that says how long saving took, archive included.
type timed struct {
	store.Store
	saving time.Duration
}

// SaveAll implements store.Mirror.
func (s *timed) SaveAll(ctx context.Context, list []store.Projection) error {
	begun := time.Now()
	defer func() { s.saving += time.Since(begun) }()
	return s.Store.SaveAll(ctx, list)
}

// BenchmarkProject folds recorded histories of ended runs, archives them and saves
// their rows in Postgres, one after the other.
func BenchmarkProject(b *testing.B) {
	files, err := filepath.Glob("../../workflows/testdata/histories/*/*.json")
	require.NoError(b, err)
	require.NotEmpty(b, files)
	source := &recorded{}
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(b, err)
		h, err := client.HistoryFromJSON(file, client.HistoryJSONOptions{})
		require.NoError(b, err)
		require.NoError(b, file.Close())
		if folded, err := history.Fold("run", "t", h.GetEvents(), converter.GetDefaultDataConverter()); err == nil &&
			folded.Record.TenantID != "" && history.HasClosed(h.GetEvents()) {
			source.histories = append(source.histories, h.GetEvents())
		}
	}
	require.NotEmpty(b, source.histories)
	dsn := testenv.Postgres(b)
	_, _, err = postgres.Migrate(b.Context(), dsn)
	require.NoError(b, err)
	s, err := postgres.Open(b.Context(), dsn, postgres.Options{})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	mirror := &timed{Store: s}
	p := projector.New(source, mirror, projector.NewDirty(), projector.Options{})
	n := 0
	for ; b.Loop(); n++ {
		require.NoError(b, p.Project(b.Context(), fmt.Sprintf("run-%d", n)))
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) }
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(each(source.folding), "µs-fold/run")
	b.ReportMetric(each(mirror.saving), "µs-save/run")
}
