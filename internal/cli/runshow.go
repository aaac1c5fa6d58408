package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// shown is a run as a reader by ID sees it: the record, and what readers find
// out themselves.
type shown struct {
	run.Record
	Blocked bool `json:"blocked"`
	Stale   bool `json:"stale"`
}

func (c *command) runShow() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show a run and its tasks",
		Long: `Show a run and its tasks, from the run's own history: it needs neither a worker
nor a database and is never stale. --json prints the whole record.`,
		Args: argumentCount(1, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.show(cmd.Context(), args[0], f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeRun
	return cmd
}

func (c *command) show(ctx context.Context, word string, f format) error {
	client, folded, err := c.load(ctx, word)
	if err != nil {
		return err
	}
	s, err := c.seen(ctx, client, folded.Record)
	if err != nil {
		return err
	}
	if f.json {
		// A record with a text missing is still the record; what is missing has
		// its digest there.
		if err := c.hydrate(ctx, &s.Record); err != nil {
			c.say("warning: %s", oneLine(err.Error()))
		}
		return c.printJSON(s)
	}
	if err := c.printRun(&s); err != nil {
		return err
	}
	c.adviseNext(ctx, client, &s)
	return nil
}

// seen adds to a record what readers find out themselves.
func (c *command) seen(ctx context.Context, client *runs.Client, r run.Record) (shown, error) {
	s := shown{Record: r, Stale: isStale(&r, c.app.Config.Host.StaleAfter, c.now())}
	if r.Status.IsTerminal() {
		return s, nil
	}
	var err error
	s.Blocked, err = client.Blocked(ctx, r.RunID)
	return s, err
}

// adviseNext says what a reader may want to do with the run.
func (c *command) adviseNext(ctx context.Context, client *runs.Client, s *shown) {
	switch {
	case s.Blocked:
		c.say("the workflow's own code fails and is tried again: see `tutti doctor`, and the run in the Temporal Web UI")
	case s.Status == run.Planned:
		c.adviseWorker(ctx, client, s.RunID)
	case awaitsHost(&s.Record):
		c.say("%s", hostAdvice(&s.Record))
	case s.Status == run.Running && resumeAt(&s.Record) != nil:
		c.say("a task waits for its provider and the run goes on by itself; follow it with `tutti run watch %s`", s.RunID)
	case s.Status == run.Running:
		c.say("follow it with `tutti run watch %s`", s.RunID)
	case s.Status == run.CompletedPrepareOnly:
		c.say("see a prompt with `tutti run prompt %s TASK`", s.RunID)
	default:
		c.say("see the result with `tutti run output %s`", s.RunID)
	}
}

// adviseWorker says that nobody will take a run up, if so.
func (c *command) adviseWorker(ctx context.Context, client *runs.Client, runID string) {
	if why, next := unserved(ctx, client, runID); why != "" {
		c.say("%s; %s, and the run goes on by itself", why, next)
	}
}
