package doctor_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
)

func hostFindings(t *testing.T, p *patient) []doctor.Finding {
	t.Helper()
	report := p.examine(t, doctor.Options{})
	require.Equal(t, doctor.Healthy, report.Outcome(), "what waits for a host is no fault")
	var found []doctor.Finding
	for _, f := range report.Findings {
		if f.Check == "hosts" {
			found = append(found, f)
		}
	}
	return found
}

func TestWhatWaitsForAHostIsAdviceAndNoMore(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.subject.Config.Host.StaleAfter = 30 * time.Minute
	p.server.seen = []string{"claude-code 2.0", "cli"}
	p.server.awaiting = []doctor.Awaiting{
		{RunID: "run-1", Tasks: 2, UpdatedAt: now().Add(-30 * time.Minute)},
		{RunID: "run-2", Tasks: 1, UpdatedAt: now().Add(-29 * time.Minute), Claims: []doctor.HostClaim{
			{Task: "architect", Holder: "ada/cli", Expires: now().Add(time.Minute)},
			{Task: "reviewer", Holder: "ada/one", Expires: now()},
		}},
	}
	found := hostFindings(t, p)
	require.Len(t, found, 4)
	require.Equal(t, doctor.OK, found[0].Level)
	require.Equal(t, "2 runs wait for a host", found[0].Message)
	require.Contains(t, found[0].NextStep, "tutti host next")
	require.Equal(t, doctor.OK, found[1].Level)
	require.Equal(t, "hosts seen: claude-code 2.0, cli", found[1].Message)
	found = found[1:]
	require.Equal(t, doctor.Advice, found[1].Level)
	require.Equal(t, "run-1 has waited for a host for 30m0s", found[1].Message)
	require.Contains(t, found[1].NextStep, "tutti host next run-1")
	require.Equal(t, doctor.Advice, found[2].Level)
	require.Contains(t, found[2].Message, "ada/cli has task architect of run-2 in hand")
	require.Contains(t, found[2].NextStep, "tutti host next run-2 --takeover")
}

func TestWithoutAHostItIsSaidHowToHaveOne(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.server.seen = nil
	found := hostFindings(t, p)
	require.Len(t, found, 2)
	require.Equal(t, doctor.OK, found[1].Level)
	require.Contains(t, found[1].NextStep, "tutti mcp --help")
}

func TestHostsThatMayNotBeLookedAt(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.server.hostsGone = errors.Join(doctor.ErrNotPermitted, errors.New("denied"))
	found := hostFindings(t, p)
	require.Len(t, found, 1)
	require.Equal(t, doctor.Advice, found[0].Level)
}
