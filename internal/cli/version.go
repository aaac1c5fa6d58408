package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.process.Stdout, "tutti "+buildVersion())
			return err
		},
	}
}

// buildVersion reads what the Go tool wrote into the binary.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			version += " (" + s.Value[:12] + ")"
		}
	}
	return version
}
