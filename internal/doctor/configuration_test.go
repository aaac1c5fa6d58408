package doctor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/doctor"
)

// load reads a configuration from a file and variables.
func load(t *testing.T, file string, variables map[string]string) (config.Config, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tutti.yaml"), []byte(file), 0o600))
	}
	return config.Load(config.Env{
		Lookup:  func(name string) (string, bool) { v, ok := variables[name]; return v, ok },
		HomeDir: dir, WorkDir: dir, User: "ada",
	}, config.Flags{})
}

func TestConfigurationNamesItsSources(t *testing.T) {
	t.Parallel()
	c, err := load(t, "tenant: acme\n", map[string]string{"TUTTI_STORE": "postgres", "DATABASE_URL": "postgres://u:hunter2@h/d"})
	require.NoError(t, err)
	p := healthy()
	p.subject.Config = c
	f := only(t, p.examine(t, doctor.Options{}), "configuration")
	require.Equal(t, doctor.OK, f.Level)
	require.Contains(t, f.Message, "mode solo, tenant acme, principal ada, from "+c.File)
	require.Contains(t, f.Details, "tenant: acme (tutti.yaml:1:1)")
	require.Contains(t, f.Details, "store: postgres (TUTTI_STORE)")
	require.Contains(t, f.Details, "databaseURL: (set, not shown) (DATABASE_URL)")
	require.NotContains(t, fmt.Sprint(f), "hunter2")
}

func TestConfigurationWithoutFile(t *testing.T) {
	t.Parallel()
	c, err := load(t, "", nil)
	require.NoError(t, err)
	p := healthy()
	p.subject.Config = c
	f := only(t, p.examine(t, doctor.Options{}), "configuration")
	require.Contains(t, f.Message, "no configuration file")
	require.Empty(t, f.Details)
}

func TestRefusedConfiguration(t *testing.T) {
	t.Parallel()
	_, err := load(t, "mode: solo\ntenat: acme\n", nil)
	require.Error(t, err)
	f := doctor.RefusedConfiguration(err)
	require.Equal(t, doctor.Problem, f.Level)
	require.Equal(t, doctor.Configuration, f.Cause)
	require.Contains(t, f.Message, "tutti.yaml:2:1: ")
	require.Contains(t, f.Message, "tenat")
	require.Contains(t, f.NextStep, "tenant")
	require.NotContains(t, f.Message, f.NextStep, "the next step stands once")

	f = doctor.RefusedConfiguration(errors.New("it is wrong"))
	require.Equal(t, "it is wrong", f.Message)
	require.NotEmpty(t, f.NextStep)
}

// A configuration that was loaded and is refused as a whole still shows where
// its settings come from.
func TestConfigurationRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.subject.ConfigError = errors.New("provider x has no dialect")
	report := p.examine(t, doctor.Options{})
	found := of(report, "configuration")
	require.Len(t, found, 2)
	require.Equal(t, doctor.OK, found[0].Level)
	require.Equal(t, doctor.Problem, found[1].Level)
	require.Equal(t, doctor.Refused, report.Outcome())
}

func TestEnterpriseWithoutTenant(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"mode: enterprise\n", "mode: enterprise\ntenant: acme\n"} {
		c, err := load(t, file, nil)
		require.NoError(t, err)
		p := healthy()
		p.subject.Config = c
		report := p.examine(t, doctor.Options{})
		require.Equal(t, doctor.Healthy, report.Outcome(), "each command may name its own")
		if c.Tenant == "acme" {
			require.Empty(t, of(report, "tenant"))
			continue
		}
		f := only(t, report, "tenant")
		require.Equal(t, doctor.Warning, f.Level)
		require.Contains(t, f.NextStep, "--tenant")
	}
}

// The environment is shared, so that a strange variable is not refused; but a
// slip of the keyboard in one is found.
func TestAVariableThatIsNoSetting(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.subject.Environ = []string{"HOME=/x", "TUTTI_STORE=sqlite", "TUTTI_TENNANT=secret-value", "TUTTI_XYZZY_PLUGH_FOO=1"}
	found := of(p.examine(t, doctor.Options{}), "configuration")
	require.Len(t, found, 3)
	require.Equal(t, doctor.Warning, found[1].Level)
	require.Equal(t, "the variable TUTTI_TENNANT is no setting and has no effect", found[1].Message)
	require.Equal(t, "did you mean TUTTI_TENANT?", found[1].NextStep)
	require.Contains(t, found[2].Message, "TUTTI_XYZZY_PLUGH_FOO")
	require.NotContains(t, fmt.Sprint(found), "secret-value")
}
