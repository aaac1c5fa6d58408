package cli

import (
	"errors"
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
	got := s.tutti("doctor")
	require.Zero(t, got.code, got.errors)
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

// Nothing but `migrate` makes a database ready, and then the doctor is content.
func TestMigrateOnADatabase(t *testing.T) {
	t.Parallel()
	s := newStage(t).with("DATABASE_URL", testenv.Postgres(t)).with("TUTTI_STORE", "postgres")
	require.Contains(t, s.refused(ExitConfiguration, "migrate", "--status"), "run `tutti migrate`")
	require.Equal(t, "postgres: schema brought from version 0 to 1\n", s.ok("migrate"))
	require.Equal(t, "postgres: schema version 1, nothing to do\n", s.ok("migrate", "--status"))
	require.Contains(t, s.ok("doctor"), "postgres at the address in DATABASE_URL (TUTTI_STORE), schema version 1")
}
