package doctor_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
)

func TestMCPThatAnswers(t *testing.T) {
	t.Parallel()
	f := only(t, healthy().examine(t, doctor.Options{}), "mcp")
	require.Equal(t, doctor.OK, f.Level)
	require.Equal(t, "`tutti mcp` answers in 300ms: 7 tools, 3 prompts, protocol 2026-07-28", f.Message)
}

// What a host cannot use is no problem for a user who has none.
func TestMCPThatDoesNotAnswerChangesNoOutcome(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.mcp.fails = errors.New("it said: tutti:\n broken")
	report := p.examine(t, doctor.Options{})
	f := only(t, report, "mcp")
	require.Equal(t, doctor.Warning, f.Level)
	require.Equal(t, "`tutti mcp` cannot be used by an agent's program: it said: tutti: broken", f.Message)
	require.Equal(t, "run `tutti mcp </dev/null` and correct what it says", f.NextStep)
	require.Equal(t, doctor.Healthy, report.Outcome())
}

func TestWhatHostsStartByName(t *testing.T) {
	t.Parallel()
	for onPath, message := range map[string]string{
		"":                 "PATH has no tutti, by which name agents' programs start it",
		"/usr/local/tutti": "agents' programs that start tutti by its name start /usr/local/tutti and not this program",
	} {
		p := healthy()
		p.mcp.onPath = onPath
		report := p.examine(t, doctor.Options{})
		found := of(report, "mcp")
		require.Len(t, found, 2)
		require.Equal(t, doctor.OK, found[0].Level)
		require.Equal(t, doctor.Advice, found[1].Level)
		require.Equal(t, message, found[1].Message)
		require.Contains(t, found[1].NextStep, "/bin/tutti")
		require.Equal(t, doctor.Healthy, report.Outcome())
	}
}
