package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/specialist"
)

func (c *command) specialistShow() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a specialist and its prompt",
		Args:  argumentCount(1, "the specialist's name"),
		RunE:  func(_ *cobra.Command, args []string) error { return c.showSpecialist(args[0], f) },
	}
	f.addJSON(cmd)
	cmd.ValidArgsFunction = c.completeSpecialist
	return cmd
}

func (c *command) showSpecialist(name string, f format) error {
	a, err := c.open()
	if err != nil {
		return err
	}
	catalogue, err := a.Specialists()
	if err != nil {
		return badFiles(err)
	}
	s, err := catalogue.Get(name)
	if err != nil {
		return err
	}
	for _, w := range s.Warnings {
		c.say("warning: %s", oneLine(w))
	}
	if f.json {
		return c.printJSON(encodedSpecialist(s))
	}
	fields := newTable(c.process.Stdout)
	for _, field := range specialistFields(s) {
		if field[1] != "" {
			fields.row(field[0], field[1])
		}
	}
	if err := fields.flush(); err != nil {
		return err
	}
	return c.printText("\n" + s.Prompt)
}

func specialistFields(s specialist.Specialist) [][2]string {
	fields := [][2]string{
		{"name", s.Name},
		{"version", s.Version},
		{"id", s.ID},
		{"source", s.Source},
		{"description", s.Description},
		{"model", s.Model},
		{"provider", s.Provider},
		{"tools", strings.Join(s.Tools, ", ")},
		{"fallback", strings.Join(s.FallbackModels, ", ")},
		{"reasoning", s.Reasoning},
		{"effort", s.Effort},
		{"extras", strings.Join(slices.Sorted(maps.Keys(s.Extras)), ", ")},
	}
	if s.MaxTokens > 0 {
		fields = append(fields, [2]string{"max tokens", strconv.Itoa(s.MaxTokens)})
	}
	if s.Temperature != nil {
		fields = append(fields, [2]string{"temperature", strconv.FormatFloat(*s.Temperature, 'g', -1, 64)})
	}
	return fields
}
