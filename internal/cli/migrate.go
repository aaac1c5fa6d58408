package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/app"
)

func (c *command) migrate() *cobra.Command {
	var status bool
	var f format
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the store to the schema of this tutti",
		Long: `Bring the configured store (Postgres or SQLite) to the schema of this tutti. It
is safe to run again and from several places at once. Nothing else migrates a
store that exists, except tutti dev, which says so.

--status changes nothing and exits with 4 where the schema is another one.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := c.open()
			if err != nil {
				return err
			}
			look := a.Migrate
			if status {
				look = a.CheckSchema
			}
			result, err := look(cmd.Context())
			if err != nil {
				return err
			}
			if f.json {
				if err := c.printJSON(result); err != nil {
					return err
				}
			} else {
				fmt.Fprintln(c.process.Stdout, schemaSentence(result))
			}
			return standsIn(result)
		},
	}
	f.addJSON(cmd)
	cmd.Flags().BoolVar(&status, "status", false, "only say whether there is something to do")
	return cmd
}

func schemaSentence(r app.MigrationResult) string {
	switch {
	case !r.Versioned:
		return fmt.Sprintf("%s: needs no migration", r.Store)
	case r.Fresh:
		return fmt.Sprintf("%s: not there yet; it is made with schema version %d", r.Store, r.To)
	case r.From != r.To:
		return fmt.Sprintf("%s: schema brought from version %d to %d", r.Store, r.From, r.To)
	case r.Changed:
		return fmt.Sprintf("%s: schema version %d; the mirror was missing and is there again, empty: run tutti projection rebuild", r.Store, r.To)
	}
	return fmt.Sprintf("%s: schema version %d, nothing to do", r.Store, r.To)
}

// standsIn refuses to call it done when the store that was asked for has no
// address: a deployment that forgot it should not go on.
func standsIn(r app.MigrationResult) error {
	if r.Store == r.Asked {
		return nil
	}
	return &failure{
		code:    ExitConfiguration,
		message: fmt.Sprintf("the %s store is asked for and has no address", r.Asked),
		next:    "set DATABASE_URL, or choose another store with TUTTI_STORE",
	}
}
