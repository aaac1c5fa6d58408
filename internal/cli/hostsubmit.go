package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

func (c *command) hostSubmit() *cobra.Command {
	h := &handing{command: c}
	var file string
	cmd := &cobra.Command{
		Use:   "submit RUN TASK -f FILE",
		Short: "Hand in the result of a prompt",
		Long: `Hand in the result of a prompt: the deliverable itself, as text of at most 4 MiB.

The same result again is no error and counts once. Exit code 1 says that the
result does not count, and why; 5 that no worker could decide yet: it counts
when one is back.`,
		Args: exactly("the run's ID", "the task's ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			output, err := c.readResult(file)
			if err != nil {
				return err
			}
			return h.handIn(cmd.Context(), args[0], history.HostResult{TaskID: args[1], Outcome: run.OutcomeDone, Output: output})
		},
	}
	h.flags(cmd)
	cmd.Flags().StringVarP(&file, "file", "f", "", "file with the result, - for standard input")
	return cmd
}

// readResult reads one byte more than a result may have, so that a longer one is
// refused for its size.
func (c *command) readResult(file string) (string, error) {
	if file == "" {
		return "", usage("the result is missing", "name a file with -f, or -f - for standard input")
	}
	from := c.process.Stdin
	if file != "-" {
		place := file
		if !filepath.IsAbs(place) {
			place = filepath.Join(c.process.WorkDir, place)
		}
		f, err := os.Open(place)
		if err != nil {
			return "", unreadable(file, err)
		}
		defer func() { _ = f.Close() }()
		from = f
	}
	raw, err := io.ReadAll(io.LimitReader(from, run.MaxResult+1))
	if err != nil {
		return "", unreadable(file, err)
	}
	return string(raw), nil
}
