package cli

import (
	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
)

func (c *command) dev() *cobra.Command {
	var o app.DevOptions
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Start everything on this machine: Temporal's development server and a worker",
		Long: `Start everything on this machine: Temporal's development server, with its state
in the data directory, and a worker. It brings the store's schema up to date and
says so.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := c.open()
			if err != nil {
				return err
			}
			o.Say = c.say
			return a.Dev(cmd.Context(), o)
		},
	}
	cmd.Flags().IntVar(&o.Port, "port", 0, "Temporal's port (default 7233)")
	cmd.Flags().IntVar(&o.UIPort, "ui-port", 0, "the Web UI's port (default 8233)")
	return cmd
}
