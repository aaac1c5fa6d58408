package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestExitOfExamination(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[doctor.Outcome]int{
		doctor.Healthy: ExitOK, doctor.Refused: ExitConfiguration, doctor.Unreachable: ExitPlatform,
	} {
		require.Equal(t, want, exitOfExamination(outcome), outcome)
	}
}

// On a server without a worker the doctor is content and says what is missing;
// with one it has nothing to say.
func TestDoctorOnAServer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.executable = testenv.Binary(t)
	got := s.tutti("doctor")
	require.Zero(t, got.code, got.errors)
	require.Regexp(t, `ok +mcp +.tutti mcp. answers in [0-9.]+m?s: 7 tools, 3 prompts`, got.out)
	require.Contains(t, got.out, "PATH has no tutti")
	require.Contains(t, got.out, "nobody polls the task queue tutti, so runs wait")
	require.Contains(t, got.out, "→ start `tutti worker` or `tutti dev`")
	require.Contains(t, got.errors, "1 warning")

	s.work()
	testenv.Eventually(t, patience, "the worker is seen", func() error {
		report := decoded[struct {
			Outcome  doctor.Outcome
			Findings []doctor.Finding
		}](s, "doctor", "--json")
		require.Equal(t, doctor.Healthy, report.Outcome)
		for _, f := range report.Findings {
			if f.Check == "workers" && f.Level != doctor.OK {
				return errors.New(f.Message)
			}
		}
		return nil
	})
}

// A server that does not start is a warning with what it said.
func TestDoctorWithAnMCPServerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	s := newStage(t).with("PATH", t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(s.env["PATH"], "tutti"), []byte("#!/bin/sh\necho \"tutti: $1 is broken\" >&2; exit 4\n"), 0o755))
	s.executable = filepath.Join(s.env["PATH"], "tutti")
	got := s.tutti("doctor")
	require.Zero(t, got.code, got.errors)
	require.Regexp(t, "warning +mcp +.tutti mcp. cannot be used by an agent's program: it said: tutti: mcp is broken", got.out)
	require.Contains(t, got.out, "→ run `tutti mcp </dev/null` and correct what it says")
}

// Nothing but `migrate` makes a database ready, and then the doctor is content.
func TestMigrateOnADatabase(t *testing.T) {
	t.Parallel()
	s := newStage(t).with("DATABASE_URL", testenv.Postgres(t)).with("TUTTI_STORE", "postgres")
	require.Contains(t, s.refused(ExitConfiguration, "migrate", "--status"), "run `tutti migrate`")
	require.Equal(t, "postgres: schema brought from version 0 to 1\n", s.ok("migrate"))
	require.Equal(t, "postgres: schema version 1, nothing to do\n", s.ok("migrate", "--status"))
	require.Contains(t, s.ok("doctor"), "postgres at the address in DATABASE_URL (TUTTI_STORE), schema version 1")
}
