package sqlite

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/store"
)

func openTest(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func column(t *testing.T, db *sql.DB, query string, args ...any) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var value string
		require.NoError(t, rows.Scan(&value))
		list = append(list, value)
	}
	require.NoError(t, rows.Err())
	return list
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "tutti.db")
	s := openTest(t, path)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), "prompts are nobody else's")
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000"} {
		require.Equal(t, []string{want}, column(t, s.db, "pragma "+pragma), pragma)
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	require.NoError(t, err)
	require.Len(t, files, SchemaVersion)
	from, to, err := Migrate(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, []int64{SchemaVersion, SchemaVersion}, []int64{from, to})

	from, to, err = Migrate(t.Context(), filepath.Join(t.TempDir(), "new.db"))
	require.NoError(t, err)
	require.Equal(t, []int64{0, SchemaVersion}, []int64{from, to})
}

// TestManyOpenANewFile: one makes the schema, the others wait for it.
func TestManyOpenANewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tutti.db")
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			s, err := Open(t.Context(), path)
			if err != nil {
				return err
			}
			return s.Close()
		})
	}
	require.NoError(t, group.Wait())
}

func TestForeignFilesAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make, says string
	}{
		"another program": {`create table albums (id integer)`, "none of them are tutti's"},
		"a newer tutti": {
			`create table goose_db_version (version_id integer, is_applied integer); create table runs (id integer);
			 insert into goose_db_version values (99, 1)`,
			"the file has version 99 and this binary knows 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "other.db")
			db, err := connectWith(path)
			require.NoError(t, err)
			defer db.Close()
			_, err = db.ExecContext(t.Context(), c.make)
			require.NoError(t, err)

			_, err = Open(t.Context(), path)
			require.ErrorIs(t, err, store.ErrSchema)
			require.ErrorContains(t, err, c.says)
			_, _, err = Migrate(t.Context(), path)
			require.ErrorIs(t, err, store.ErrSchema)
			require.Equal(t, []string{"delete"}, column(t, db, "pragma journal_mode"), "the file is as it was")
		})
	}
}

func TestUnusableFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("not a database ", 100)), 0o600))
	for _, path := range []string{text, dir, filepath.Join(text, "below.db")} {
		_, err := Open(t.Context(), path)
		require.Error(t, err, path)
		require.NotErrorIs(t, err, store.ErrSchema, path)
	}
}

// TestInterruptedCreation: a process that died while it made the schema leaves
// a file that the next one finishes.
func TestInterruptedCreation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tutti.db")
	db, err := connect(path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `
create table goose_db_version (id integer primary key autoincrement, version_id integer not null,
  is_applied integer not null, tstamp timestamp default (datetime('now')));
insert into goose_db_version (version_id, is_applied) values (0, 1)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, openTest(t, path).Check(t.Context()))
}
