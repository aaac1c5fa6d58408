package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) hostFail() *cobra.Command {
	h := &handing{command: c}
	var reason string
	cmd := &cobra.Command{
		Use:   "fail RUN TASK --reason TEXT",
		Short: "Say that a prompt could not be executed",
		Long: `Say that a prompt could not be executed. The task fails for good, and tasks that
need it are skipped unless they go on without it.`,
		Args: exactly("the run's ID", "the task's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return usage("the reason is missing", "say why with --reason")
			}
			return h.handIn(cmd.Context(), args[0], history.HostResult{TaskID: args[1], Outcome: run.OutcomeFailed, Error: reason})
		},
	}
	h.flags(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why, for whoever reads the run")
	complete(cmd, "reason")
	return cmd
}
