package postgres

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// openTest opens a store on a database of its own.
func openTest(t *testing.T, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func migrated(t *testing.T) (dsn string) {
	t.Helper()
	dsn = testenv.Postgres(t)
	_, _, err := Migrate(t.Context(), dsn)
	require.NoError(t, err)
	return dsn
}

func (s *Store) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func column(t *testing.T, s *Store, sql string, args ...any) []string {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), sql, args...)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(migrations, "migrations/*.sql")
	require.NoError(t, err)
	require.Len(t, files, SchemaVersion)

	dsn := testenv.Postgres(t)
	s := openTest(t, dsn)
	err = s.Check(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
	require.ErrorContains(t, err, "version 0 and this binary needs 1: run tutti migrate")
	_, err = s.SaveRun(t.Context(), store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}})
	require.ErrorIs(t, err, store.ErrSchema, "nothing migrates in silence")

	// Several at once: one finds nothing, the others find its work.
	const migrators = 4
	found := make([]int64, migrators)
	var group errgroup.Group
	for i := range found {
		group.Go(func() (err error) {
			var to int64
			found[i], to, err = Migrate(t.Context(), dsn)
			if err == nil && to != SchemaVersion {
				t.Errorf("migrated to %d", to)
			}
			return err
		})
	}
	require.NoError(t, group.Wait())
	slices.Sort(found)
	require.Equal(t, []int64{0, 1, 1, 1}, found)
	require.NoError(t, s.Check(t.Context()))
}

// TestDroppedMirror: the mirror may be dropped under a running store, whose
// kept data stays.
func TestDroppedMirror(t *testing.T) {
	t.Parallel()
	dsn := migrated(t)
	s := openTest(t, dsn)
	snapshot := store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r"}}
	saved, err := s.SaveRun(t.Context(), snapshot)
	require.NoError(t, err)
	require.True(t, saved)
	require.NoError(t, s.PutContent(t.Context(), "t", "d", []byte("kept")))

	s.exec(t, `drop schema tutti cascade`)
	err = s.Check(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
	require.ErrorContains(t, err, "tutti projection rebuild")
	_, err = s.ListRuns(t.Context(), store.Query{Tenant: "t"})
	require.ErrorIs(t, err, store.ErrSchema)

	from, to, err := Migrate(t.Context(), dsn)
	require.NoError(t, err)
	require.Equal(t, []int64{SchemaVersion, SchemaVersion}, []int64{from, to})
	require.NoError(t, s.Check(t.Context()))
	_, err = s.LoadRun(t.Context(), "t", "r")
	require.ErrorIs(t, err, store.ErrNotFound)
	saved, err = s.SaveRun(t.Context(), snapshot)
	require.NoError(t, err)
	require.True(t, saved)
	kept, err := s.GetContent(t.Context(), "t", "d")
	require.NoError(t, err)
	require.Equal(t, "kept", string(kept))
}

func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	dsn := migrated(t)
	s := openTest(t, dsn)
	s.exec(t, `insert into tutti_kept.goose_db_version (version_id, is_applied) values (99, true)`)
	for _, err := range []error{s.Check(t.Context()), func() error { _, _, err := Migrate(t.Context(), dsn); return err }()} {
		require.ErrorIs(t, err, store.ErrSchema)
		require.ErrorContains(t, err, "version 99 and this binary knows 1: use the newer tutti")
	}
}

// TestCatalogue compares the database with the tables of columns, and asks for
// what a team relies on: comments, and keys that begin with the tenant.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	const names = `
select column_name::text from information_schema.columns where table_schema = $1 and table_name = $2`
	require.ElementsMatch(t, columns.Names(columns.Runs()), column(t, s, names, "tutti", "runs"))
	require.ElementsMatch(t, columns.Names(columns.Tasks()), column(t, s, names, "tutti", "tasks"))
	attempts := append(append(columns.Names(columns.Attempts()), columns.Names(columns.Closings())...), "attempt")
	require.ElementsMatch(t, attempts, column(t, s, names, "tutti_kept", "model_calls"))

	require.ElementsMatch(t, columns.Names(columns.Prices()), column(t, s, names, "tutti_kept", "model_prices"))

	const tables = `
select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname like 'tutti%' and c.relkind = 'r' and c.relname <> 'goose_db_version'
  and ($1 or obj_description(c.oid) is null)`
	require.Len(t, column(t, s, tables, true), 11)
	require.Empty(t, column(t, s, tables, false), "every table has a comment")
	const uncommented = `
select n.nspname || '.' || c.relname || coalesce('.' || a.attname, '')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname like 'tutti%' and c.relkind in ('r', 'v') and c.relname <> 'goose_db_version'
  and (obj_description(c.oid) is null or (a.attnum is not null and col_description(c.oid, a.attnum) is null))`
	require.Empty(t, column(t, s, uncommented), "every table, view and column says what it is")

	indexes := column(t, s, `select indexdef from pg_indexes where schemaname like 'tutti%'`)
	require.Greater(t, len(indexes), 10)
	for _, index := range indexes {
		// The sweep looks over all tenants; its own row and goose's are nobody's.
		if !slices.ContainsFunc([]string{"runs_by_builder", "sweeper_pkey", "leases_pkey", "goose"}, func(name string) bool { return strings.Contains(index, name) }) {
			require.Contains(t, index, "(tenant_id, ")
		}
	}
}
