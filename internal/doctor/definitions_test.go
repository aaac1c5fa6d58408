package doctor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/doctor"
)

func TestDefinitions(t *testing.T) {
	t.Parallel()
	report := healthy().examine(t, doctor.Options{})
	require.Equal(t, "8 specialists, 8 of them built in", only(t, report, "specialists").Message)
	require.Equal(t, "3 chains, 2 of them built in", only(t, report, "chains").Message)
}

// Every problem of a refused file is told with its place, and none keeps the
// other files from being used.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.chains.found.Refused = []error{
		fmt.Errorf("chain: %w", &definition.InvalidError{File: ".tutti/chains/a.yaml", Problems: []definition.Problem{
			{Pos: definition.Pos{Line: 3, Col: 5}, Message: "unknown key", NextStep: "use one of: id"},
			{Message: "the file is too long"},
		}}),
		errors.New("b.yaml cannot\nbe read"),
	}
	report := p.examine(t, doctor.Options{})
	found := of(report, "chains")
	require.Len(t, found, 4)
	require.Equal(t, doctor.OK, found[0].Level)
	require.Equal(t, ".tutti/chains/a.yaml:3:5: unknown key", found[1].Message)
	require.Equal(t, "use one of: id", found[1].NextStep)
	require.Equal(t, ".tutti/chains/a.yaml: the file is too long", found[2].Message)
	require.Equal(t, "b.yaml cannot be read", found[3].Message)
	require.Equal(t, 3, report.Count(doctor.Warning))
	require.Equal(t, doctor.Healthy, report.Outcome())
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.specialists.found.Remarks = []string{".claude/agents/a.md:3: color is not used"}
	f := only(t, p.examine(t, doctor.Options{}), "specialists")
	require.Equal(t, doctor.OK, f.Level)
	require.Contains(t, f.Message, "1 remark about")
	require.Equal(t, p.specialists.found.Remarks, f.Details)
}

func TestDirectoryThatCannotBeListed(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.specialists.err = errors.New(strings.Repeat("permission denied ", 100))
	report := p.examine(t, doctor.Options{})
	f := only(t, report, "specialists")
	require.Equal(t, doctor.Configuration, f.Cause)
	require.Less(t, len(f.Message), 500, "another program's words are clipped")
	require.Equal(t, doctor.Refused, report.Outcome())
}
