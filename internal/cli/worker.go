package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/workflows"
)

func (c *command) worker() *cobra.Command {
	var only, metrics string
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Execute runs: poll the task queue until stopped",
		Long: `Execute runs: poll the task queue until stopped.

The first Ctrl-C or SIGTERM takes no more work and finishes the calls in flight;
a second one stops at once.

With deployment: {name, buildID} configured it polls as that build. It then says
which build is current, and the command that makes this one current.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if only != "" && only != "workflows" && only != "activities" {
				return usage("--only "+only+" is neither workflows nor activities", "leave it out for both")
			}
			a, err := c.open()
			if err != nil {
				return err
			}
			return a.Worker(cmd.Context(), app.WorkerOptions{
				Only: only, Timing: workflows.DefaultTiming(), Metrics: metrics,
				Ready: func(p app.Polling) {
					c.say("worker %s", p)
					if advice := p.Advice(); advice != "" {
						c.say("note: %s", advice)
					}
				},
				Stopping: func() { c.say("worker takes no more and finishes its calls; a second signal stops it at once") },
			})
		},
	}
	cmd.Flags().StringVar(&metrics, "metrics", "", "serve GET /metrics at this address, like 127.0.0.1:9464 (default: nowhere)")
	cmd.Flags().StringVar(&only, "only", "", "workflows or activities (default both)")
	return cmd
}

// say prints one line about what happens to standard error.
func (c *command) say(format string, args ...any) {
	fmt.Fprintf(c.process.Stderr, format+"\n", args...)
}
