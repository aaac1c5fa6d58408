package filesystem_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
)

func TestAStoreOfFilesSaysWhenItIsOutgrown(t *testing.T) {
	t.Parallel()
	s, err := filesystem.Open(t.TempDir())
	require.NoError(t, err)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	list := func() string {
		page, err := s.ListRuns(t.Context(), store.Query{Tenant: "t", Limit: 1})
		require.NoError(t, err)
		return page.Notice
	}
	for i := range 1000 {
		if i == 999 {
			require.Empty(t, list())
		}
		_, err := s.SaveRun(t.Context(), store.Snapshot{Builder: 1, Record: run.Record{
			RunID: fmt.Sprintf("run-%016d", i), TenantID: "t", TemporalRunID: "x", LastEventID: 1,
			Status: run.Completed, CreatedAt: &at,
		}})
		require.NoError(t, err)
	}
	require.Contains(t, list(), "1000 runs")
	require.Contains(t, list(), "TUTTI_STORE=sqlite")
}
