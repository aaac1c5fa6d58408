package cli

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

var update = flag.Bool("update", false, "write docs/errors.md anew from the tables in the code")

const errorsPage = "../../docs/errors.md"

// docs/errors.md is what the tables in the code say, and nothing else.
func TestTheErrorsPageIsTheCodesOwnTable(t *testing.T) {
	t.Parallel()
	want := errorsDocument()
	if *update {
		require.NoError(t, os.WriteFile(errorsPage, []byte(want), 0o600))
	}
	got, err := os.ReadFile(errorsPage)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run: go test ./internal/cli -run ErrorsPage -update")
}

// The adapters' table and the domain's speak of the same codes.
func TestEveryClassHasACodeThatIsExplained(t *testing.T) {
	t.Parallel()
	for _, class := range provider.Classes() {
		if class.Success() {
			continue
		}
		info, known := run.InfoOf(run.Code(class.Code()))
		require.True(t, known, class)
		require.Equal(t, run.OnTask, info.On, class)
		require.Equal(t, class.Transient(), info.Retried, class)
	}
}

func errorsDocument() string {
	var b strings.Builder
	b.WriteString(`# Error codes

Made from the tables in the code by ` + "`go test ./internal/cli -run ErrorsPage -update`" + `; do not edit it here.

A code never changes its meaning. On a task or a run it stands in ` + "`error.code`" + `, beside a
` + "`message`" + ` in tutti's own words and a ` + "`remediation`" + ` that names the provider, variable or file in
question. A retried code is reported when the last attempt ended in it; until then the task runs.
`)
	for _, section := range []struct {
		on          run.CodePlace
		title, lead string
	}{
		{run.OnTask, "On a task", "The task has failed. Other tasks of its run go on."},
		{run.OnRun, "On a run", "The run was not started, or has ended with status `error`."},
		{run.OnAnswer, "In answers", "What was asked for was not done, and no run has changed."},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| code | when | retried | what to do |\n| --- | --- | --- | --- |\n", section.title, section.lead)
		for _, info := range run.Codes() {
			if info.On == section.on {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", info.Code, info.When, yesNo(info.Retried), info.Do)
			}
		}
	}
	writeClasses(&b)
	writeExitCodes(&b)
	return b.String()
}

func writeClasses(b *strings.Builder) {
	b.WriteString("\n## Classes of a provider's answer\n\n" +
		"`error.class` says more exactly what became of the last attempt. PROVIDER and KEY stand for the\n" +
		"provider's name and the place of its key.\n\n" +
		"| class | code | retried | message begins | what to do |\n| --- | --- | --- | --- | --- |\n")
	for _, class := range provider.Classes() {
		if class.Success() {
			continue
		}
		fmt.Fprintf(b, "| `%s` | `%s` | %s | %s | %s |\n", class, class.Code(), yesNo(class.Transient()),
			provider.Outcome{Class: class}.Message("PROVIDER"), provider.Remediation(class, "PROVIDER", "KEY"))
	}
}

func writeExitCodes(b *strings.Builder) {
	b.WriteString("\n## Exit codes\n\n| code | meaning |\n| --: | --- |\n")
	for _, row := range []struct {
		code    int
		meaning string
	}{
		{ExitOK, "`completed`, `completed-prepare-only`; a reading command that could read"},
		{ExitNotCompleted, "`completed-with-failures`, `degraded`, `cancelled`, `error`; a rejected host result; a provider that fails its check"},
		{ExitUsage, "what was asked for cannot be: a bad flag, an unknown name, an empty request, a key conflict"},
		{ExitAwaitsHost, "the run waits for a host"},
		{ExitConfiguration, "the configuration is refused, and will be again; also a run whose executed tasks all failed with `PROVIDER_KEY_MISSING` or `PROVIDER_MODEL_UNRESOLVED`"},
		{ExitPlatform, "Temporal or a store is out of reach, no worker came in time, or the wait ended first"},
	} {
		fmt.Fprintf(b, "| %d | %s |\n", row.code, row.meaning)
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
