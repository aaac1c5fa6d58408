package app_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// execute runs a statement through the drivers that the stores have registered.
func execute(t *testing.T, driver, address, statement string) {
	t.Helper()
	db, err := sql.Open(driver, address)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

func TestMigrateFilesystem(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	result, err := s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, app.MigrationResult{Store: "filesystem", Asked: "filesystem", From: 1, To: 1}, result)
	require.NoDirExists(t, s.dataDir(), "there was nothing to do")
}

func TestMigrateSQLite(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_STORE"] = "sqlite"
	file := filepath.Join(s.dataDir(), "tutti.db")

	result, err := s.open().CheckSchema(t.Context())
	require.NoError(t, err)
	require.True(t, result.Fresh)
	require.NoFileExists(t, file)

	result, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, app.MigrationResult{Store: "sqlite", Asked: "sqlite", Versioned: true, From: 0, To: 1, Changed: true}, result)

	current := app.MigrationResult{Store: "sqlite", Asked: "sqlite", Versioned: true, From: 1, To: 1}
	result, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, current, result)
	result, err = s.open().CheckSchema(t.Context())
	require.NoError(t, err)
	require.Equal(t, current, result)

	execute(t, "sqlite", file, `insert into goose_db_version (version_id, is_applied) values (99, 1)`)
	_, err = s.open().Migrate(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
	require.ErrorContains(t, err, "99")
	_, err = s.open().CheckSchema(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
}

func TestMigratePostgres(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_MODE"] = "team"
	url := testenv.Postgres(t)
	s.variables["DATABASE_URL"] = url

	_, err := s.open().CheckSchema(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
	_, err = s.open().CheckSchema(t.Context())
	require.ErrorIs(t, err, store.ErrSchema, "looking has not migrated it")

	want := app.MigrationResult{Store: "postgres", Asked: "postgres", Versioned: true, From: 0, To: 1, Changed: true}
	result, err := s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, result)

	want.From, want.Changed = 1, false
	result, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, result)

	execute(t, "pgx", url, `drop schema tutti cascade`)
	want.Changed = true
	result, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, result, "the mirror is put in its place")
	_, err = s.open().CheckSchema(t.Context())
	require.NoError(t, err)

	execute(t, "pgx", url, `insert into tutti_kept.goose_db_version (version_id, is_applied) values (99, true)`)
	_, err = s.open().Migrate(t.Context())
	require.ErrorIs(t, err, store.ErrSchema)
	require.ErrorContains(t, err, "use the newer tutti")
}

// The store that a recorded fallback replaces is the one that is made ready.
func TestMigrateGoesAroundAFallback(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_MODE"] = "team"
	result, err := s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, "filesystem", result.Store)
	require.Equal(t, "postgres", result.Asked)

	_, choice, err := s.open().Store(t.Context())
	require.NoError(t, err)
	require.Equal(t, "filesystem", choice.Name)
	s.variables["DATABASE_URL"] = testenv.Postgres(t)
	result, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, "postgres", result.Store)
	require.True(t, result.Changed)
}

func TestMigrateRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		variables map[string]string
		is        error
	}{
		"down":        {map[string]string{"TUTTI_STORE": "postgres", "DATABASE_URL": "postgres://ada:hunter2@" + nowhere + "/d"}, store.ErrUnavailable},
		"bad address": {map[string]string{"TUTTI_STORE": "postgres", "DATABASE_URL": "postgres://ada:hunter2@host:port"}, store.ErrSettings},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSurroundings(t)
			for k, v := range c.variables {
				s.variables[k] = v
			}
			_, err := s.open().Migrate(t.Context())
			require.ErrorIs(t, err, c.is)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

// What is neither another schema nor an outage is a matter of configuration.
func TestMigrateUnusableFile(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_STORE"] = "sqlite"
	s.write(".local/share/tutti/tutti.db", "this is no database, and it is long enough not to be taken for an empty one", 0o600)
	_, err := s.open().Migrate(t.Context())
	var refused *app.ConfigError
	require.ErrorAs(t, err, &refused)
	require.ErrorContains(t, err, "tutti doctor")
}
