package cli

import (
	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/mcp"
)

func (c *command) mcp() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP on standard input and output, for an agent's program",
		Long: `Serve the Model Context Protocol on standard input and output. An agent's program
(Claude Code, Codex, Copilot, VS Code, Cursor, Gemini) starts this command itself:

  claude mcp add tutti -- tutti mcp
  codex mcp add tutti -- tutti mcp
  copilot mcp add tutti -- tutti mcp
  gemini mcp add -s user tutti tutti mcp

The others take it from a file, as docs/mcp.md shows. The agent then starts runs, executes
their prompts in its own session and hands in results.

It starts without Temporal, which is connected to by the first call that needs it.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := c.open()
			if err != nil {
				return err
			}
			server := mcp.New(mcp.Options{App: a, Lookup: c.process.Lookup, Version: buildVersion(), Log: c.log()})
			return server.ServeStreams(cmd.Context(), c.process.Stdin, c.process.Stdout)
		},
	}
}
