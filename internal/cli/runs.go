package cli

import "github.com/spf13/cobra"

func (c *command) runs() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "See, follow and cancel runs",
		Long: `See, follow and cancel runs.

A run is named by its ID, by a unique beginning of it, or by @last, the run that
was started last from this data directory.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		c.runList(), c.runShow(), c.runWatch(), c.runEvents(),
		c.runOutput(), c.runPrompt(), c.runCancel(),
	)
	return cmd
}

// argumentCount refuses more arguments than the usage line has, or none; most
// is negative when any number will do.
func argumentCount(most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		see := "see `" + cmd.CommandPath() + " --help`"
		switch {
		case len(args) == 0:
			return usage(what+" is missing", see)
		case most >= 0 && len(args) > most:
			return usage("unexpected argument \""+args[most]+"\"", see)
		}
		return nil
	}
}
