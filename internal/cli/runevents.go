package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) runEvents() *cobra.Command {
	var f format
	var following bool
	cmd := &cobra.Command{
		Use:   "events RUN",
		Short: "List what happened in a run",
		Long: `List what happened in a run, in the order in which it took effect. The number is
that of the event in Temporal's history. --json prints one event a line. --follow goes on
with what happens until the run has ended.`,
		Args: argumentCount(1, "the run's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if following {
				return c.followEvents(cmd.Context(), args[0], f)
			}
			return c.events(cmd.Context(), args[0], f)
		},
	}
	f.addJSON(cmd)
	cmd.Flags().BoolVar(&following, "follow", false, "go on with what happens until the run has ended")
	cmd.ValidArgsFunction = c.completeRun
	return cmd
}

func (c *command) events(ctx context.Context, word string, f format) error {
	client, folded, err := c.load(ctx, word)
	if err != nil {
		return err
	}
	if folded.Record.Status == run.Planned {
		c.say("run %s was accepted and nothing has happened yet", folded.Record.RunID)
		c.adviseWorker(ctx, client, folded.Record.RunID)
	}
	if f.json {
		return c.printEventLines(folded.Events)
	}
	if len(folded.Events) == 0 {
		return nil
	}
	rows := newTable(c.process.Stdout, "TIME", "EVENT", "TYPE", "TASK", "DETAIL")
	for _, e := range folded.Events {
		rows.row(e.At.In(c.zone()).Format("2006-01-02 15:04:05.000"), strconv.FormatInt(e.EventID, 10),
			run.TypeOf(e.Event), e.Event.Task(), eventDetail(e.Event, c.zone()))
	}
	return rows.flush()
}

func (c *command) printEventLines(events []run.Stamped) error {
	for _, e := range events {
		e.At = e.At.In(time.UTC)
		line, err := run.EncodeEvent(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.process.Stdout, "%s\n", line); err != nil {
			return fmt.Errorf("print an event: %w", err)
		}
	}
	return nil
}

// eventDetail says what a reader wants to know of an event.
func eventDetail(e run.Event, zone *time.Location) string {
	switch e := e.(type) {
	case run.Started:
		return e.Request.Summary
	case run.PlanResolved:
		return e.Plan.Chain.Name
	case run.PlanFailed:
		return fmt.Sprintf("%s: %s", e.Error.Code, e.Error.Message)
	case run.TaskScheduled:
		if e.Call == 0 {
			return "its prompt"
		}
		return fmt.Sprintf("call %d", e.Call)
	case run.TaskPromptReady:
		return "prompt " + short(e.Prompt.SHA256)
	case run.TaskAnswered:
		return fmt.Sprintf("%s, %d bytes, %s", e.Executor, e.Output.Size, tokensOf(e.Usage))
	case run.TaskErrored:
		return failureWords(&e.Failure)
	case run.TaskPassedOver:
		return string(e.Reason)
	case run.TimerSet:
		return "resumes at " + moment(&e.ResumeAt, zone)
	case run.QueueInspected:
		return fmt.Sprintf("%d workers poll its queue", e.Pollers)
	case run.Ended:
		return fmt.Sprintf("%s: %s", e.Error.Code, e.Error.Message)
	}
	return ""
}
