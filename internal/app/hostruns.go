package app

import (
	"context"
	"slices"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// maxAwaiting bounds how many runs are looked through for one that awaits a host.
const maxAwaiting = 50

// awaiting names the principal's runs that may have a prompt for a host, those
// that surely wait first, and of them the oldest. The mirror is asked, and without
// it Temporal's visibility.
func (a *App) awaiting(ctx context.Context, c *runs.Client) ([]string, error) {
	records, err := a.openHostRuns(ctx, c)
	if err != nil {
		return nil, err
	}
	var sure, maybe []string
	for i := range slices.Backward(records) {
		r := &records[i]
		switch {
		case r.PrincipalID != a.Config.Principal:
		case r.Counts()[run.TaskAwaitingHost] > 0:
			sure = append(sure, r.RunID)
		default:
			maybe = append(maybe, r.RunID)
		}
	}
	found := append(sure, maybe...)
	return found[:min(len(found), maxAwaiting)], nil
}

// openHostRuns lists the open runs in which a host has a part, newest first. A
// row of the mirror may be older than the run, and is only a hint.
func (a *App) openHostRuns(ctx context.Context, c *runs.Client) ([]run.Record, error) {
	query := store.Query{
		Tenant: a.Config.Tenant, Limit: store.MaxLimit,
		Statuses: []run.Status{run.Planned, run.Running, run.AwaitingHost},
	}
	var page store.Page
	mirror, _, err := a.Store(ctx)
	if err == nil {
		page, err = mirror.ListRuns(ctx, query)
	}
	if err != nil {
		a.env.Log.Debug("the mirror cannot be asked for runs that await a host", "error", err)
		var listing runs.Listing
		if listing, err = c.ListPage(ctx, query); err != nil {
			return nil, err
		}
		page = listing.Page
	}
	return slices.DeleteFunc(page.Runs, func(r run.Record) bool { return !hasHost(&r) }), nil
}

// hasHost says that a host has, or may have, a part in the run. A run started by
// hand shows its backends once its plan is resolved.
func hasHost(r *run.Record) bool {
	return r.AwaitsPlan || slices.ContainsFunc(r.Tasks, func(t run.Task) bool { return t.Backend == run.BackendHost })
}
