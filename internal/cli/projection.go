package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/projector"
)

func (c *command) projection() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "projection",
		Short: "Look after the mirror: status, verify, rebuild, prune",
		Long: `Look after the mirror, the copy of all runs that lists and SQL read. Temporal's
histories and the archive of closed ones are the truth; the mirror can be dropped and
rebuilt from them at any time. These commands see the runs of all tenants.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.projectionStatus(), c.projectionVerify(), c.projectionRebuild(), c.projectionPrune())
	return cmd
}

// projectionVerb is one verb; do prints what it found and says how it ended.
func (c *command) projectionVerb(use, short, long string, do func(context.Context, *app.App, format) error) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := c.open()
			if err != nil {
				return err
			}
			return do(cmd.Context(), a, f)
		},
	}
	f.addJSON(cmd)
	return cmd
}

func (c *command) projectionStatus() *cobra.Command {
	return c.projectionVerb("status", "Say how far the mirror is behind, and why",
		`Say how far the mirror is behind: the runs that have moved on since their row was
made and how long the longest of them waits, who sweeps, and which runs cannot be folded.`,
		func(ctx context.Context, a *app.App, f format) error {
			s, err := a.ProjectionStatus(ctx, c.now())
			if err != nil {
				return err
			}
			if f.json {
				return c.printJSON(s)
			}
			c.printStatus(s)
			return nil
		})
}

func (c *command) printStatus(s projector.Status) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(c.process.Stdout, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("rows", "%d, of them %d open, %d of an older fold", s.Rows, s.Open, s.Outdated)
	line("dirty", "%d", s.Dirty)
	line("lag", "%.1f s", s.LagSeconds)
	if s.Watermark == nil {
		line("watermark", "none: nothing has swept yet")
	} else {
		line("watermark", "%s", s.Watermark.In(c.zone()).Format("2006-01-02 15:04:05"))
	}
	if s.Sweeper == "" {
		line("sweeper", "none: start a worker with `tutti worker`")
	} else {
		line("sweeper", "%s", s.Sweeper)
	}
	c.printUnknown(s.Unknown)
	c.printFailed("unreadable", s.Failed)
}

func (c *command) projectionVerify() *cobra.Command {
	return c.projectionVerb("verify", "Compare every row with its history",
		`Compare every row with the fold of its history, up to the event that the row says.
It changes nothing, and exits with 1 if a row differs or a history cannot be folded.`,
		func(ctx context.Context, a *app.App, f format) error {
			v, err := a.VerifyProjection(ctx, c.now())
			if err != nil {
				return err
			}
			if f.json {
				err = c.printJSON(v)
			} else {
				fmt.Fprintf(c.process.Stdout, "%d runs: %d equal, %d behind, %d forgotten by Temporal and archive, %d of a newer tutti, %d different, %d unreadable\n",
					v.Runs, v.Equal, v.Behind, v.Forgotten, v.Newer, len(v.Different), len(v.Failed))
				c.printUnknown(v.Unknown)
				c.printFailed("different", v.Different)
				c.printFailed("unreadable", v.Failed)
			}
			if err != nil || v.OK() {
				return err
			}
			next := "mend rows with `tutti projection rebuild`"
			if len(v.Different) == 0 {
				next = "a newer tutti may be able to read them; their rows stay as they are"
			}
			return &failure{
				code: ExitNotCompleted, next: next,
				message: fmt.Sprintf("%d rows differ and %d histories cannot be folded", len(v.Different), len(v.Failed)),
			}
		})
}

func (c *command) projectionRebuild() *cobra.Command {
	return c.projectionVerb("rebuild", "Fold every history into the mirror again",
		`Fold every history into the mirror again, from Temporal and from the archive. A
mirror that was dropped (drop schema tutti cascade) is put back first. Workers may run meanwhile.`,
		func(ctx context.Context, a *app.App, f format) error {
			r, err := a.RebuildProjection(ctx)
			if err != nil {
				return err
			}
			if f.json {
				return c.printJSON(r)
			}
			fmt.Fprintf(c.process.Stdout, "%d runs rebuilt, %d of them from the archive; %d rows have no history any more\n", r.Runs, r.Archived, r.Forgotten)
			c.printFailed("unreadable", r.Failed)
			return nil
		})
}

func (c *command) projectionPrune() *cobra.Command {
	var dryRun bool
	cmd := c.projectionVerb("prune", "Remove kept data that nothing refers to",
		`Remove texts, answers and attempts that are older than 30 days and that no row, no
archived history, no run in Temporal and no stored answer refers to. Archived histories
themselves are never removed.`,
		func(ctx context.Context, a *app.App, f format) error {
			d, err := a.PruneKept(ctx, c.now(), dryRun)
			if err != nil {
				return err
			}
			if f.json {
				return c.printJSON(d)
			}
			word := "removed"
			if dryRun {
				word = "would remove"
			}
			fmt.Fprintf(c.process.Stdout, "%s %d texts (%d bytes), %d answers, %d attempts\n", word, d.Contents, d.Bytes, d.Answers, d.Attempts)
			return nil
		})
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be removed")
	return cmd
}

func (c *command) printFailed(word string, list []projector.Failed) {
	for _, f := range list {
		fmt.Fprintf(c.process.Stdout, "%-10s %s: %s\n", word, f.RunID, oneLine(f.Reason))
	}
}

func (c *command) printUnknown(unknown map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		fmt.Fprintf(c.process.Stdout, "%-10s %s, %d times, passed over\n", "unknown", name, unknown[name])
	}
}
