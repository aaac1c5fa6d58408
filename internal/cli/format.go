package cli

import "github.com/spf13/cobra"

// format is how a reading command prints: a table for people, JSON or names
// for programs.
type format struct {
	json bool
	as   string
}

// addJSON adds --json to a command.
func (f *format) addJSON(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
}

// addAll adds --json and -o name to a command that lists things.
func (f *format) addAll(cmd *cobra.Command) {
	f.addJSON(cmd)
	cmd.Flags().StringVarP(&f.as, "output", "o", "", "print only names, one a line: -o name")
	complete(cmd, "output", "name", "json")
}

// check settles the two flags.
func (f *format) check() error {
	switch {
	case f.as == "" || f.as == "name" && !f.json:
		return nil
	case f.as == "json":
		f.json, f.as = true, ""
		return nil
	case f.as == "name":
		return usage("--json and -o name exclude each other", "give one of them")
	}
	return usage("unknown output \""+f.as+"\"", "use -o name or --json")
}

func (f *format) names() bool { return f.as == "name" }

// complete lets the shell complete a flag from a fixed list.
func complete(cmd *cobra.Command, flag string, values ...string) {
	// The only error is a flag that does not exist, which every test would see.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
