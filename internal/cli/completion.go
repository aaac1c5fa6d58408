package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// What completion may cost: the shell waits for it at every key.
const (
	completionTime = time.Second
	completionRuns = 30
)

// noFiles keeps the shell from offering the names of files.
const noFiles = cobra.ShellCompDirectiveNoFileComp

// knownRuns reads the latest runs from the mirror. What goes wrong here is
// nobody's concern: there is nothing to complete then.
func (c *command) knownRuns(ctx context.Context, prefix string) []run.Record {
	a, err := c.open()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	mirror, _, err := a.Store(ctx)
	if err != nil {
		return nil
	}
	page, err := mirror.ListRuns(ctx, store.Query{Tenant: a.Config.Tenant, IDPrefix: prefix, Limit: completionRuns})
	if err != nil {
		return nil
	}
	return page.Runs
}

// completeRuns completes any number of runs, each with what it is about.
func (c *command) completeRuns(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if strings.HasPrefix(lastName, prefix) {
		found = append(found, cobra.CompletionWithDesc(lastName, "the run that was started last"))
	}
	for _, r := range c.knownRuns(cmd.Context(), prefix) {
		about := string(r.Status) + ": " + clip(cell(r.Request.Summary), 50)
		found = append(found, cobra.CompletionWithDesc(r.RunID, about))
	}
	return found, noFiles
}

// completeRun completes one run.
func (c *command) completeRun(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	return c.completeRuns(cmd, args, prefix)
}

// completeRunAndTask completes one run and then one of its tasks.
func (c *command) completeRunAndTask(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return c.completeRun(cmd, args, prefix)
	}
	var found []cobra.Completion
	if known := c.knownRuns(cmd.Context(), args[0]); len(known) == 1 {
		for _, t := range known[0].Tasks {
			found = append(found, cobra.CompletionWithDesc(t.ID, string(t.Status)))
		}
	}
	return found, noFiles
}

// completeChain completes the name of a chain.
func (c *command) completeChain(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	a, err := c.open()
	if err != nil {
		return nil, noFiles
	}
	library, err := a.Chains()
	if err != nil {
		return nil, noFiles
	}
	var found []cobra.Completion
	for _, known := range library.All() {
		found = append(found, cobra.CompletionWithDesc(known.Name, known.Description))
	}
	return found, noFiles
}

// completeSpecialist completes the name of a specialist.
func (c *command) completeSpecialist(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	a, err := c.open()
	if err != nil {
		return nil, noFiles
	}
	catalogue, err := a.Specialists()
	if err != nil {
		return nil, noFiles
	}
	var found []cobra.Completion
	for _, known := range catalogue.All() {
		found = append(found, cobra.CompletionWithDesc(known.Name, known.Description))
	}
	return found, noFiles
}
