package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/doctor"
)

func (c *command) doctor() *cobra.Command {
	var o doctor.Options
	var f format
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at everything that a run needs, and say what to do",
		Long: `Look at everything that a run needs: configuration, data directory, store,
Temporal, search attributes, workers and their builds, pinned and blocked runs,
runs that wait for a host, the MCP server (started once, as an agent's program
would), providers and their keys (present or not, never a value), specialists
and chains.
Each finding names the next step; -v adds where each setting comes from.

--fix does what is safe and says so: it makes the data directory, registers
search attributes, and returns to a store that works again.

It exits with 0 when it could look at everything and found no problem (advice
and warnings are none), 4 when something is configured wrongly, and 5 when
something cannot be reached; also then it prints everything else.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := c.examine(cmd.Context(), o)
			if err != nil {
				return err
			}
			if err := c.printReport(report, f.json); err != nil {
				return err
			}
			return exit(exitOfExamination(report.Outcome()))
		},
	}
	f.addJSON(cmd)
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "do what is safe")
	return cmd
}

// examine goes on with a configuration that was loaded and is refused as a
// whole; without one there is nothing else to look at.
func (c *command) examine(ctx context.Context, o doctor.Options) (doctor.Report, error) {
	if _, err := c.open(); c.app == nil {
		return doctor.Report{Findings: []doctor.Finding{doctor.RefusedConfiguration(err)}}, nil
	}
	o.Now = c.now()
	return c.app.Examine(ctx, examinedMCP{c}, o)
}

func exitOfExamination(o doctor.Outcome) int {
	switch o {
	case doctor.Healthy:
		return ExitOK
	case doctor.Refused:
		return ExitConfiguration
	case doctor.Unreachable:
		return ExitPlatform
	}
	return ExitPlatform
}

func (c *command) printReport(report doctor.Report, asJSON bool) error {
	if asJSON {
		return c.printJSON(struct {
			Outcome  doctor.Outcome   `json:"outcome"`
			Findings []doctor.Finding `json:"findings"`
		}{report.Outcome(), report.Findings})
	}
	t := newTable(c.process.Stdout)
	for _, f := range report.Findings {
		level := string(f.Level)
		if f.Fixed {
			level = "fixed"
		}
		t.row(level, f.Check, f.Message)
		if f.NextStep != "" {
			t.row("", "", "→ "+f.NextStep)
		}
		if c.global.verbose {
			for _, detail := range f.Details {
				t.row("", "", "· "+detail)
			}
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	c.say("%s", report)
	return nil
}
