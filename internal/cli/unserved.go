package cli

import (
	"context"
	"fmt"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/runs"
)

// unserved says why nobody takes a run up, and what to do; it is empty when
// somebody does, or when Temporal does not tell.
func unserved(ctx context.Context, c *runs.Client, runID string) (why, next string) {
	routing, err := c.Routing(ctx)
	if err != nil {
		return "", ""
	}
	pinned, err := c.Pinned(ctx, runID)
	if err != nil || routing.Serves(pinned) {
		return "", ""
	}
	const start = "start one with `tutti worker`"
	queue := c.TaskQueue()
	switch {
	case !pinned.IsZero():
		return fmt.Sprintf("no worker polls task queue %s as %s, which the run is pinned to", queue, pinned), start + " as that build"
	case !routing.Current.IsZero():
		return fmt.Sprintf("no worker polls task queue %s as %s, which is current", queue, routing.Current), start + " as that build"
	case len(routing.Pollers) > 0:
		v := routing.Pollers[0].Version
		return fmt.Sprintf("task queue %s is polled as %s, and no build is current", queue, v),
			"run `" + app.MakeCurrentCommand(v) + "`"
	}
	return "no worker polls task queue " + queue, start
}
