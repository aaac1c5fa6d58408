package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/internal/txscope"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	s := openTest(t, filepath.Join(t.TempDir(), "tutti.db"))
	const names = `select name from pragma_table_info(?)`
	require.ElementsMatch(t, columns.Names(columns.Runs()), column(t, s.db, names, "runs"))
	require.ElementsMatch(t, columns.Names(columns.Tasks()), column(t, s.db, names, "tasks"))
	attempts := append(append(columns.Names(columns.Attempts()), columns.Names(columns.Closings())...), "attempt")
	require.ElementsMatch(t, attempts, column(t, s.db, names, "model_calls"))

	first := column(t, s.db, `
select m.name || ' ' || i.name from sqlite_schema m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
where m.type = 'table' and i.seqno = 0 and m.name not like 'goose%' and m.name <> 'leases' and l.name <> 'runs_by_builder'`)
	require.Greater(t, len(first), 10)
	for _, index := range first {
		require.True(t, strings.HasSuffix(index, " tenant_id"), index)
	}
}

// TestPlans: a page is a walk along an index in the list's order.
func TestPlans(t *testing.T) {
	t.Parallel()
	s := openTest(t, filepath.Join(t.TempDir(), "tutti.db"))
	place := &store.Cursor{CreatedAt: time.Unix(0, 0), RunID: "run-7"}
	for name, c := range map[string]struct {
		query store.Query
		index string
	}{
		"all":     {store.Query{}, "runs_by_time"},
		"status":  {store.Query{Statuses: []run.Status{run.Running}}, "runs_by_status"},
		"chain":   {store.Query{Chain: "c"}, "runs_by_chain"},
		"backend": {store.Query{Backend: "b"}, "runs_by_backend"},
	} {
		query, args := listing(c.query, 50, place)
		plan := planOf(t, s, query, args)
		require.Contains(t, plan, c.index, name)
		require.NotContains(t, plan, "TEMP B-TREE", name)
	}
}

func planOf(t *testing.T, s *Store, query string, args []any) (plan string) {
	t.Helper()
	rows, err := s.db.QueryContext(t.Context(), "explain query plan "+query, args...)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		plan += detail + "\n"
	}
	require.NoError(t, rows.Err())
	return plan
}

// TestTransactionMarksItsScope holds the file's write lock, so that a save
// stands where its transaction begins.
func TestTransactionMarksItsScope(t *testing.T) {
	t.Parallel()
	s := openTest(t, filepath.Join(t.TempDir(), "tutti.db"))
	other, err := s.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	ctx := txscope.New(t.Context())
	saved := make(chan error)
	go func() {
		_, err := s.SaveRun(ctx, store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})
		saved <- err
	}()
	testenv.Eventually(t, time.Minute, "the save has begun", func() error {
		if !txscope.Open(ctx) {
			return errors.New("no transaction is open")
		}
		return nil
	})
	require.NoError(t, other.Rollback())
	require.NoError(t, <-saved)
	require.False(t, txscope.Open(ctx))
}

// TestLockedFile: a writer that gives up waiting saves nothing, and says so.
func TestLockedFile(t *testing.T) {
	t.Parallel()
	s := openTest(t, filepath.Join(t.TempDir(), "tutti.db"))
	other, err := s.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	saved, err := s.SaveRun(ctx, store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})
	require.Error(t, err)
	require.False(t, saved)
	require.NoError(t, other.Rollback())
	_, err = s.LoadRun(t.Context(), "t", "r")
	require.ErrorIs(t, err, store.ErrNotFound)
}

func TestTimesSortAsText(t *testing.T) {
	t.Parallel()
	times := []time.Time{
		{},
		time.Unix(0, 0), time.Unix(5, 999), time.Unix(5, 1000), time.Unix(1<<33, 0),
		time.Unix(5, 2000).In(time.FixedZone("", -7200)),
	}
	var texts []string
	for _, at := range times {
		texts = append(texts, timeText(at))
		back, err := parseTime(timeText(at))
		require.NoError(t, err)
		require.Equal(t, store.Micro(at), back)
	}
	slices.SortFunc(times, time.Time.Compare)
	slices.Sort(texts)
	for i, at := range times {
		require.Equal(t, timeText(at), texts[i])
	}
	_, err := parseTime("yesterday")
	require.Error(t, err)
}
