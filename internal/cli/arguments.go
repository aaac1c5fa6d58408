package cli

import "github.com/spf13/cobra"

// optional refuses more arguments than the usage line has, and needs none.
func optional(most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > most {
			return usage("unexpected argument \""+args[most]+"\"", "see `"+cmd.CommandPath()+" --help`")
		}
		return nil
	}
}

// exactly needs each of these arguments, and no more.
func exactly(what ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(what) {
			return usage(what[len(args)]+" is missing", "see `"+cmd.CommandPath()+" --help`")
		}
		return optional(len(what))(cmd, args)
	}
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
