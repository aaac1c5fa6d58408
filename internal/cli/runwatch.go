package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) runWatch() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: "Follow a run until it has ended or waits for a host",
		Long: `Follow a run until it has ended or waits for a host, and exit as the run did:

  0  completed, completed-prepare-only
  1  completed-with-failures, degraded, cancelled, error
  3  it waits for a host
  4  every task that was executed failed for a missing key or an unresolved model
  5  watching ended first

Progress goes to standard error; --json prints the whole record at the end.`,
		Args: argumentCount(1, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.watch(cmd.Context(), args[0], f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeRun
	return cmd
}

func (c *command) watch(ctx context.Context, word string, f format) error {
	client, folded, err := c.load(ctx, word)
	if err != nil {
		return err
	}
	runID := folded.Record.RunID
	if folded.Record.Status == run.Planned {
		c.adviseWorker(ctx, client, folded.Record.RunID)
	}
	folded, err = follow(ctx, client, c.app.Config.Tenant, runID, newProgress(c))
	if ctx.Err() != nil {
		return &failure{
			code: ExitPlatform, err: err, message: "stopped watching run " + runID + ", which goes on",
			next: "watch it again with `tutti run watch " + runID + "` or end it with `tutti run cancel " + runID + "`",
		}
	}
	if err != nil {
		return c.notFound(runID, err)
	}
	s, err := c.seen(ctx, client, folded.Record)
	if err != nil {
		return err
	}
	if f.json {
		if err := c.hydrate(ctx, &s.Record); err != nil {
			c.say("warning: %s", oneLine(err.Error()))
		}
		if err := c.printJSON(s); err != nil {
			return err
		}
	} else {
		c.adviseNext(ctx, client, &s)
	}
	return exit(exitOf(&s.Record))
}
