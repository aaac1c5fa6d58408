package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

func (c *command) chainShow() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a chain and its tasks",
		Long:  "Show a chain and its tasks. NAME may be a list like \"architect -> engineer\".",
		Args:  argumentCount(1, "the chain's name"),
		RunE:  func(_ *cobra.Command, args []string) error { return c.showChain(args[0], f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeChain
	return cmd
}

func (c *command) showChain(name string, f format) error {
	d, err := c.definitions()
	if err != nil {
		return err
	}
	ch, err := d.chains.Resolve(name, d.specialists.Lookup)
	if err != nil {
		return err
	}
	k := d.encoded(ch)
	if f.json {
		return c.printJSON(k)
	}
	fields := newTable(c.process.Stdout)
	fields.row("name", k.Name)
	fields.row("version", orUnknown(k.Version))
	fields.row("source", k.Source)
	if k.Description != "" {
		fields.row("description", k.Description)
	}
	if err := fields.flush(); err != nil {
		return err
	}
	fmt.Fprintln(c.process.Stdout)
	rows := newTable(c.process.Stdout, "#", "TASK", "SPECIALIST", "NEEDS", "BACKEND", "MODEL", "UPSTREAM FAILURE")
	for i, t := range k.Tasks {
		rows.row(strconv.Itoa(i+1), t.ID, t.Specialist, strings.Join(t.Needs, ", "),
			t.Backend, t.Model, t.OnUpstreamFailure)
	}
	return rows.flush()
}
