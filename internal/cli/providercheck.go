package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) providerCheck() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "check [NAME]...",
		Short: "Ask providers whether they answer and take their key",
		Long: `Ask providers whether they answer and take their key. No model is asked, so that
a check costs next to nothing. Without a NAME every provider is asked whose key
is there, and every configured one that needs none.

It exits with 0 when all is well, 1 when a provider has something against it, and
4 when a provider that was named has no key. The environment and the files are
those of this process: run it where the worker runs.`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.checkProviders(cmd.Context(), args, f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeProviders
	return cmd
}

func (c *command) checkProviders(ctx context.Context, names []string, f format) error {
	a, err := c.open()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		if names, err = a.Checkable(ctx); err != nil {
			return err
		}
		if len(names) == 0 {
			return &failure{
				code: ExitConfiguration, message: "no provider has a key",
				next: "see `tutti provider list` for where keys are looked for, or name a provider",
			}
		}
	}
	checked, err := a.CheckProviders(ctx, names)
	if err != nil {
		return err
	}
	if err := c.printChecks(checked, f); err != nil {
		return err
	}
	return exit(exitOfChecks(checked))
}

func (c *command) printChecks(checked []app.CheckedProvider, f format) error {
	if f.json {
		return c.printJSON(map[string][]app.CheckedProvider{"checks": checked})
	}
	rows := newTable(c.process.Stdout)
	for _, p := range checked {
		if p.OK {
			rows.row("ok", p.Name, p.Message)
			continue
		}
		rows.row("failed", p.Name, string(p.Code)+": "+p.Message)
		if p.Remediation != "" {
			rows.row("", "", "→ "+p.Remediation)
		}
	}
	return rows.flush()
}

// exitOfChecks prefers the code that says that asking again will not help.
func exitOfChecks(checked []app.CheckedProvider) int {
	code := ExitOK
	for _, p := range checked {
		switch {
		case p.OK:
		case p.Code == run.CodeKeyMissing:
			return ExitConfiguration
		default:
			code = ExitNotCompleted
		}
	}
	return code
}
