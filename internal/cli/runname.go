package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// lastName names the run that was started last from this data directory.
const lastName = "@last"

// maxCandidates is how many runs an ambiguous prefix is answered with.
const maxCandidates = 5

var fullRunID = regexp.MustCompile(`^run-[0-9a-f]{16}$`)

// named connects to Temporal and finds the ID of the run that a word names: a
// full ID, a unique prefix or @last.
func (c *command) named(ctx context.Context, word string) (*runs.Client, string, error) {
	a, err := c.open()
	if err != nil {
		return nil, "", err
	}
	if word == lastName {
		if word, err = lastRun(a.Config.DataDir); errors.Is(err, errNoLastRun) {
			return nil, "", usage(err.Error(), "start one with `tutti submit \"…\"`, or name a run from `tutti run list`")
		} else if err != nil {
			return nil, "", err
		}
	}
	client, err := a.Runs(ctx)
	if err != nil {
		return nil, "", err
	}
	if fullRunID.MatchString(word) {
		return client, word, nil
	}
	found, err := client.FindByPrefix(ctx, a.Config.Tenant, word, maxCandidates+1)
	if err != nil {
		return nil, "", fmt.Errorf("look for run %s: %w", word, err)
	}
	if len(found) == 0 {
		found = c.findInMirror(ctx, word)
	}
	runID, err := one(word, found)
	return client, runID, err
}

// findInMirror looks for runs that Temporal has forgotten. Without a mirror there
// are none, and the word is taken for a whole ID.
func (c *command) findInMirror(ctx context.Context, prefix string) []string {
	mirror, _, err := c.app.Store(ctx)
	if err != nil {
		return nil
	}
	page, err := mirror.ListRuns(ctx, store.Query{Tenant: c.app.Config.Tenant, IDPrefix: prefix, Limit: maxCandidates + 1})
	if err != nil {
		return nil
	}
	var found []string
	for i := range page.Runs {
		found = append(found, page.Runs[i].RunID)
	}
	return found
}

// one picks the run that a word means among those that begin with it. A word
// that begins none is taken for a whole ID, as runs started by hand have them.
func one(word string, found []string) (string, error) {
	switch {
	case slices.Contains(found, word), len(found) == 0:
		return word, nil
	case len(found) == 1:
		return found[0], nil
	}
	shown := strings.Join(found[:min(len(found), maxCandidates)], ", ")
	if len(found) > maxCandidates {
		shown += ", …"
	}
	return "", usage(fmt.Sprintf("%q begins more than one run: %s", word, shown), "give more of its ID")
}

// load folds the run that a word names.
func (c *command) load(ctx context.Context, word string) (*runs.Client, history.Folded, error) {
	client, runID, err := c.named(ctx, word)
	if err != nil {
		return nil, history.Folded{}, err
	}
	folded, err := client.Get(ctx, c.app.Config.Tenant, runID)
	return client, folded, c.notFound(word, err)
}

// notFound puts into words that the tenant has no such run.
func (c *command) notFound(word string, err error) error {
	if !errors.Is(err, runs.ErrNotFound) {
		return err
	}
	return &failure{
		code: ExitUsage, err: err, message: fmt.Sprintf("tenant %s has no run %q", c.app.Config.Tenant, word),
		next: "see `tutti run list`",
	}
}
