package cli

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"
)

func (c *command) providers() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "provider",
		Short: "Know the providers: the model APIs that tasks may call",
		Long: `Know the providers: the model APIs that tasks may call.

Some are built in, and tutti.yaml configures those and others. A key stands in a
variable, in a file, or is printed by a command; its value is never shown.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.providerList(), c.providerCheck())
	return cmd
}

// completeProviders completes the names of providers, each once.
func (c *command) completeProviders(_ *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	a, err := c.open()
	if err != nil {
		return nil, noFiles
	}
	var found []cobra.Completion
	for _, name := range slices.Sorted(maps.Keys(a.Providers())) {
		if !slices.Contains(given, name) {
			found = append(found, name)
		}
	}
	return found, noFiles
}
