package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// followEvents prints each event once, as it happens, until the run has ended.
func (c *command) followEvents(ctx context.Context, word string, f format) error {
	client, runID, err := c.named(ctx, word)
	if err != nil {
		return err
	}
	printed := 0
	err = client.Follow(ctx, c.app.Config.Tenant, runID, func(folded history.Folded) (bool, error) {
		news := folded.Events[printed:]
		printed = len(folded.Events)
		if f.json {
			return true, c.printEventLines(news)
		}
		return true, c.printEventRows(news)
	})
	if ctx.Err() != nil {
		return &failure{
			code: ExitPlatform, err: err, message: "stopped following run " + runID + ", which goes on",
			next: "follow it again with `tutti run events --follow " + runID + "`",
		}
	}
	return c.notFound(word, err)
}

// printEventRows prints events as they come, so the columns have fixed widths.
func (c *command) printEventRows(events []run.Stamped) error {
	for _, e := range events {
		_, err := fmt.Fprintf(c.process.Stdout, "%s  %5s  %-18s  %-12s  %s\n",
			e.At.In(c.zone()).Format("2006-01-02 15:04:05.000"), strconv.FormatInt(e.EventID, 10),
			run.TypeOf(e.Event), e.Event.Task(), eventDetail(e.Event, c.zone()))
		if err != nil {
			return fmt.Errorf("print an event: %w", err)
		}
	}
	return nil
}
