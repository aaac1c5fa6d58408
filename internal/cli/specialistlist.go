package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (c *command) specialistList() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the specialists, with source and version",
		Args:  noArguments,
		RunE:  func(*cobra.Command, []string) error { return c.listSpecialists(f) },
	}
	f.addAll(cmd)
	return cmd
}

func (c *command) listSpecialists(f format) error {
	if err := f.check(); err != nil {
		return err
	}
	a, err := c.open()
	if err != nil {
		return err
	}
	catalogue, err := a.Specialists()
	if err != nil {
		return badFiles(err)
	}
	all, refused := catalogue.All(), catalogue.Problems()
	c.sayRefused(refused)
	switch {
	case f.json:
		known := make([]knownSpecialist, 0, len(all))
		for _, s := range all {
			s.Prompt = "" // A list of prompts is no list; `show` has each.
			known = append(known, encodedSpecialist(s))
		}
		return c.printJSON(struct {
			Specialists []knownSpecialist `json:"specialists"`
			Refused     []refusedFile     `json:"refused"`
		}{known, encodedRefusals(refused)})
	case f.names():
		for _, s := range all {
			fmt.Fprintln(c.process.Stdout, s.Name)
		}
		return nil
	}
	rows := newTable(c.process.Stdout, "NAME", "VERSION", "SOURCE", "DESCRIPTION")
	for _, s := range all {
		rows.row(s.Name, s.Version, s.Source, clip(cell(s.Description), 70))
	}
	return rows.flush()
}
