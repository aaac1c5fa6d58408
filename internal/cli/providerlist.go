package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
)

func (c *command) providerList() *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the providers, with address, key (present or not) and limits",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return c.listProviders(cmd.Context(), f) },
	}
	f.addAll(cmd)
	return cmd
}

func (c *command) listProviders(ctx context.Context, f format) error {
	if err := f.check(); err != nil {
		return err
	}
	a, err := c.open()
	if err != nil {
		return err
	}
	all, err := a.ListProviders(ctx)
	if err != nil {
		return err
	}
	switch {
	case f.json:
		return c.printJSON(map[string][]app.ListedProvider{"providers": all})
	case f.names():
		for _, p := range all {
			fmt.Fprintln(c.process.Stdout, p.Name)
		}
		return nil
	}
	rows := newTable(c.process.Stdout, "NAME", "DIALECT", "BASE URL", "KEY", "CONCURRENCY", "RATE")
	for _, p := range all {
		rows.row(p.Name, p.Dialect, addressWords(p), keyWords(p.Key), concurrencyWords(p), rateWords(p))
	}
	return rows.flush()
}

func addressWords(p app.ListedProvider) string {
	switch {
	case p.Trouble != "":
		return "refused: " + p.Trouble
	case p.BaseURL == "":
		return unknown
	}
	return p.BaseURL
}

// keyWords says whether there is a key and where, and nothing of the key itself.
func keyWords(k app.ListedKey) string {
	switch {
	case !k.Needed:
		return "not needed"
	case k.Present:
		return "present in " + k.Source
	}
	return "missing: " + k.Source + " " + k.Reason
}

func concurrencyWords(p app.ListedProvider) string {
	if p.Concurrency == 0 {
		return unknown
	}
	return strconv.Itoa(p.Concurrency) + " per worker"
}

func rateWords(p app.ListedProvider) string {
	if p.CallsPerSecond == 0 {
		return unknown
	}
	return strconv.FormatFloat(p.CallsPerSecond, 'f', -1, 64) + " calls/s"
}
