package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// cancellation is what became of a wish to end a run.
type cancellation struct {
	RunID string `json:"runId"`
	// Cancelled says that the run was asked to end. It ends when what is in
	// flight has answered.
	Cancelled      bool       `json:"cancelled"`
	PreviousStatus run.Status `json:"previousStatus"`
}

func (c *command) runCancel() *cobra.Command {
	var f format
	var reason string
	cmd := &cobra.Command{
		Use:   "cancel RUN...",
		Short: "Ask runs to end",
		Long: `Ask runs to end. A call to a model that is in flight is aborted; tasks that have
ended keep their results. A run that has ended already stays as it is.`,
		Args: argumentCount(-1, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.cancelAll(cmd.Context(), args, reason, f)
		},
	}
	f.addJSON(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the run's history in Temporal")
	cmd.ValidArgsFunction = c.completeRuns
	return cmd
}

func (c *command) cancelAll(ctx context.Context, words []string, reason string, f format) error {
	// A name that means nothing is found out before anything is cancelled.
	var client *runs.Client
	var records []run.Record
	for _, word := range words {
		found, folded, err := c.load(ctx, word)
		if err != nil {
			return err
		}
		client, records = found, append(records, folded.Record)
	}
	done := make([]cancellation, 0, len(records))
	for i := range records {
		result, err := c.cancelOne(ctx, client, &records[i], reason)
		if err != nil {
			return err
		}
		if done = append(done, result); !f.json {
			c.printCancellation(result)
		}
	}
	if f.json {
		return c.printJSON(map[string][]cancellation{"runs": done})
	}
	return nil
}

func (c *command) cancelOne(ctx context.Context, client *runs.Client, r *run.Record, reason string) (cancellation, error) {
	result := cancellation{RunID: r.RunID, PreviousStatus: r.Status}
	if r.Status.IsTerminal() {
		return result, nil
	}
	err := client.CancelBecause(ctx, r.RunID, reason)
	if errors.Is(err, runs.ErrNotFound) {
		// It may have ended since it was read.
		folded, again := client.Get(ctx, c.app.Config.Tenant, r.RunID)
		if again == nil && folded.Record.Status.IsTerminal() {
			result.PreviousStatus = folded.Record.Status
			return result, nil
		}
	}
	if err != nil {
		return result, c.notFound(r.RunID, err)
	}
	result.Cancelled = true
	c.app.Project(ctx, r.RunID)
	return result, nil
}

func (c *command) printCancellation(done cancellation) {
	if !done.Cancelled {
		fmt.Fprintf(c.process.Stdout, "%s had already ended: %s\n", done.RunID, done.PreviousStatus)
		return
	}
	fmt.Fprintf(c.process.Stdout, "%s was asked to end; it was %s\n", done.RunID, done.PreviousStatus)
}
