package doctor_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
)

func TestNothingToSay(t *testing.T) {
	t.Parallel()
	report := healthy().examine(t, doctor.Options{})
	var checks []string
	for _, f := range report.Findings {
		require.Equal(t, doctor.OK, f.Level, "%+v", f)
		require.Empty(t, f.NextStep)
		checks = append(checks, f.Check)
	}
	require.Equal(t, []string{
		"configuration", "data directory", "store", "temporal", "search attributes", "workers", "runs", "hosts", "hosts", "mcp",
		"default model", "provider demo", "specialists", "chains",
	}, checks)
	require.Equal(t, doctor.Healthy, report.Outcome())
	require.Equal(t, "all is well", report.String())
}

// Fix on a subject that lacks nothing must not touch it.
func TestFixLeavesTheHealthyAlone(t *testing.T) {
	t.Parallel()
	p := healthy()
	report := p.examine(t, doctor.Options{Fix: true})
	require.False(t, report.Fixable())
	require.Zero(t, p.dir.made)
	require.Zero(t, p.server.registered)
	require.Empty(t, p.store.cleared)
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	refused := doctor.Finding{Level: doctor.Problem, Cause: doctor.Configuration}
	silent := doctor.Finding{Level: doctor.Problem, Cause: doctor.Platform}
	for name, c := range map[string]struct {
		findings []doctor.Finding
		want     doctor.Outcome
	}{
		"nothing":                 {nil, doctor.Healthy},
		"advice and warnings":     {[]doctor.Finding{{Level: doctor.Advice}, {Level: doctor.Warning}}, doctor.Healthy},
		"no answer":               {[]doctor.Finding{silent, {Level: doctor.OK}}, doctor.Unreachable},
		"refused":                 {[]doctor.Finding{refused}, doctor.Refused},
		"refused before silent":   {[]doctor.Finding{refused, silent}, doctor.Refused},
		"refused after no answer": {[]doctor.Finding{silent, refused}, doctor.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, doctor.Report{Findings: c.findings}.Outcome())
		})
	}
}

func TestReportInOneLine(t *testing.T) {
	t.Parallel()
	for want, findings := range map[string][]doctor.Finding{
		"all is well":            {{Level: doctor.Advice}},
		"1 problem, 0 warnings":  {{Level: doctor.Problem}},
		"0 problems, 2 warnings": {{Level: doctor.Warning}, {Level: doctor.Warning, Fixable: true, Fixed: true}},
		"all is well; `tutti doctor --fix` can mend some of it": {{Level: doctor.Advice, Fixable: true}},
	} {
		require.Equal(t, want, doctor.Report{Findings: findings}.String())
	}
}

// One thing that cannot be looked at hides nothing else.
func TestEveryCheckGoesOn(t *testing.T) {
	t.Parallel()
	p := healthy()
	broken := errors.New("it is broken")
	p.dir.look, p.store.none, p.server.silent = broken, broken, broken
	p.providers.none, p.specialists.err, p.chains.err = broken, broken, broken
	p.mcp.fails = broken
	report := p.examine(t, doctor.Options{})
	for _, check := range []string{"configuration", "data directory", "store", "temporal", "mcp", "default model", "provider demo", "specialists", "chains"} {
		only(t, report, check)
	}
	require.Equal(t, doctor.Refused, report.Outcome())
}

func TestBrokenOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := doctor.Examine(ctx, healthy().subject, doctor.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, report.Findings)
}

func TestDataDirectory(t *testing.T) {
	t.Parallel()
	taken := errors.New("permission denied")
	for name, c := range map[string]struct {
		look, makes error
		fix         bool
		level       doctor.Level
		made        int
		fixed       bool
		cause       doctor.Cause
	}{
		"there":                 {level: doctor.OK},
		"not there":             {look: fs.ErrNotExist, level: doctor.Advice},
		"made":                  {look: fs.ErrNotExist, fix: true, level: doctor.OK, made: 1, fixed: true},
		"cannot be made":        {look: fs.ErrNotExist, makes: taken, fix: true, level: doctor.Problem, made: 1},
		"cannot be used":        {look: taken, level: doctor.Problem},
		"is full":               {look: fmt.Errorf("%w: 0 bytes are left", doctor.ErrDiskFull), level: doctor.Problem, cause: doctor.Platform},
		"fix does not seize it": {look: taken, fix: true, level: doctor.Problem},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.dir.look, p.dir.makes = c.look, c.makes
			f := only(t, p.examine(t, doctor.Options{Fix: c.fix}), "data directory")
			require.Equal(t, c.level, f.Level)
			require.Equal(t, c.fixed, f.Fixed)
			require.Equal(t, c.made, p.dir.made)
			require.Contains(t, f.Message, "/data")
			if c.level == doctor.Problem {
				require.Equal(t, cmp.Or(c.cause, doctor.Configuration), f.Cause)
				require.Contains(t, f.Message, cmp.Or(c.makes, c.look).Error())
			}
		})
	}
}
