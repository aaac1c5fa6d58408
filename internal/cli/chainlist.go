package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func (c *command) chainList() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the chains, with source and version",
		Args:  noArguments,
		RunE:  func(*cobra.Command, []string) error { return c.listChains(f) },
	}
	f.addAll(cmd)
	return cmd
}

func (c *command) listChains(f format) error {
	if err := f.check(); err != nil {
		return err
	}
	d, err := c.definitions()
	if err != nil {
		return err
	}
	refused := d.chains.Problems()
	c.sayRefused(refused)
	known := make([]knownChain, 0, len(d.chains.All()))
	for _, ch := range d.chains.All() {
		if err := ch.Validate(d.specialists.Lookup); err != nil {
			c.say("warning: %s", oneLine(err.Error()))
		}
		known = append(known, d.encoded(ch))
	}
	switch {
	case f.json:
		return c.printJSON(struct {
			Chains  []knownChain  `json:"chains"`
			Refused []refusedFile `json:"refused"`
		}{known, encodedRefusals(refused)})
	case f.names():
		for _, k := range known {
			fmt.Fprintln(c.process.Stdout, k.Name)
		}
		return nil
	}
	rows := newTable(c.process.Stdout, "NAME", "VERSION", "SOURCE", "TASKS", "DESCRIPTION")
	for _, k := range known {
		rows.row(k.Name, orUnknown(k.Version), k.Source, clip(taskList(k), 50), clip(cell(k.Description), 60))
	}
	return rows.flush()
}

func orUnknown(s *string) string {
	if s == nil {
		return unknown
	}
	return *s
}

// taskList names the tasks in the order of the file.
func taskList(k knownChain) string {
	ids := make([]string, 0, len(k.Tasks))
	for _, t := range k.Tasks {
		ids = append(ids, t.ID)
	}
	return strings.Join(ids, ", ")
}
