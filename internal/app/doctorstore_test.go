package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestExaminePostgres(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_MODE"] = "team"
	s.variables["DATABASE_URL"] = testenv.Postgres(t)

	f := finding(t, s.examine(doctor.Options{Fix: true}), "store")
	require.Equal(t, doctor.Configuration, f.Cause, "nothing migrates unasked")
	require.Contains(t, f.NextStep, "tutti migrate")

	_, err := s.open().Migrate(t.Context())
	require.NoError(t, err)
	f = finding(t, s.examine(doctor.Options{}), "store")
	require.Equal(t, doctor.OK, f.Level)
	require.Equal(t, "postgres at the address in DATABASE_URL (mode team), schema version 1", f.Message)
}

func TestExaminePostgresThatIsDown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ url, message string }{
		"nobody listens": {"postgres://ada:hunter2@" + nowhere + "/tutti", "connection refused"},
		"no such host":   {"postgres://ada:hunter2@db.invalid/tutti", "db.invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSurroundings(t)
			s.variables["TUTTI_STORE"] = "postgres"
			s.variables["DATABASE_URL"] = c.url
			f := finding(t, s.examine(doctor.Options{Fix: true}), "store")
			require.Equal(t, doctor.Platform, f.Cause)
			require.Contains(t, f.Message, "(TUTTI_STORE)")
			require.Contains(t, f.Message, c.message)
			require.Contains(t, f.Message, "runs go on")
			require.NotContains(t, f.Message, "hunter2")
			known, err := store.ReadFallbacks(s.dataDir())
			require.NoError(t, err)
			require.Empty(t, known, "a database that is down is not replaced")
		})
	}
}

func TestExaminePostgresWithABadAddress(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_STORE"] = "postgres"
	s.variables["DATABASE_URL"] = "postgres://ada:hunter2@host:port"
	f := finding(t, s.examine(doctor.Options{}), "store")
	require.Equal(t, doctor.Configuration, f.Cause)
	require.Equal(t, "correct DATABASE_URL", f.NextStep)
	require.NotContains(t, f.Message, "hunter2")
}

// A fallback is recorded when the address is missing, named while it is still
// missing, and cleared once the database is there and has its schema.
func TestExamineClearsAFallback(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_MODE"] = "team"
	f := finding(t, s.examine(doctor.Options{}), "store")
	require.Contains(t, f.Message, "postgres cannot be had (mode team)")

	_, choice, err := s.open().Store(t.Context())
	require.NoError(t, err)
	require.Equal(t, "filesystem", choice.Name)

	report := s.examine(doctor.Options{Fix: true})
	f = finding(t, report, "store fallback")
	require.Contains(t, f.Message, "still cannot be had: DATABASE_URL is not set")
	require.False(t, f.Fixed)
	require.Contains(t, finding(t, report, "store").Message, "in place of postgres")

	s.variables["DATABASE_URL"] = testenv.Postgres(t)
	f = finding(t, s.examine(doctor.Options{Fix: true}), "store fallback")
	require.False(t, f.Fixed, "it has no schema yet")
	require.Contains(t, f.NextStep, "tutti migrate")

	_, err = s.open().Migrate(t.Context())
	require.NoError(t, err)
	require.True(t, finding(t, s.examine(doctor.Options{}), "store fallback").Fixable)
	report = s.examine(doctor.Options{Fix: true})
	require.True(t, finding(t, report, "store fallback").Fixed)
	require.Contains(t, finding(t, report, "store").Message, "postgres at")

	_, choice, err = s.open().Store(t.Context())
	require.NoError(t, err)
	require.Equal(t, "postgres", choice.Name)
	require.Empty(t, findings(s.examine(doctor.Options{}), "store fallback"))
}

// Of two fallbacks the one whose store works again goes, and the other stays.
func TestExamineKeepsTheOtherFallback(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_STORE"] = "sqlite"
	for _, name := range []string{"sqlite", "postgres"} {
		_, err := store.WriteFallback(s.dataDir(), store.Fallback{Replaces: name, Store: "filesystem", Reason: "once"})
		require.NoError(t, err)
	}
	report := s.examine(doctor.Options{Fix: true})
	require.Len(t, findings(report, "store fallback"), 2)
	known, err := store.ReadFallbacks(s.dataDir())
	require.NoError(t, err)
	require.Len(t, known, 1)
	require.Equal(t, "postgres", known[0].Replaces)
	require.Contains(t, finding(t, report, "store").Message, "sqlite at "+filepath.Join(s.dataDir(), "tutti.db"))
}

func TestExamineRemovesADamagedFallbackFile(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	path := s.write(".local/share/tutti/"+store.FallbackFile, "{", 0o600)
	report := s.examine(doctor.Options{})
	require.Equal(t, doctor.Refused, report.Outcome())
	require.FileExists(t, path)
	require.True(t, finding(t, s.examine(doctor.Options{Fix: true}), "store fallback").Fixed)
	require.NoFileExists(t, path)
}

func TestExamineSQLite(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.variables["TUTTI_STORE"] = "sqlite"
	s.write(".local/share/tutti/tutti.db", "this is no database, and it is long enough not to be taken for an empty one", 0o600)
	f := finding(t, s.examine(doctor.Options{}), "store")
	require.Equal(t, doctor.Warning, f.Level)
	require.Contains(t, f.Message, "falls back to filesystem")

	require.NoError(t, os.Remove(filepath.Join(s.dataDir(), "tutti.db")))
	_, err := s.open().Migrate(t.Context())
	require.NoError(t, err)
	f = finding(t, s.examine(doctor.Options{}), "store")
	require.Contains(t, f.Message, "(TUTTI_STORE), schema version 1")
}
