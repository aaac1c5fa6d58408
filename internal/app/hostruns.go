package app

import (
	"context"
	"iter"
	"slices"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// awaiting names the principal's runs that may have a prompt for a host: those of
// the mirror, then those that only Temporal's visibility knows, as when the run was
// started on another machine. Both are hints; the run's own history decides.
func (a *App) awaiting(ctx context.Context, c *runs.Client) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		seen := make(map[string]bool)
		for _, list := range []func(context.Context, *runs.Client) ([]run.Record, error){a.openInMirror, openInTemporal(a.Config.Tenant)} {
			records, err := list(ctx, c)
			if err != nil {
				yield("", err)
				return
			}
			for _, id := range a.hostsFirst(records) {
				if !seen[id] && !yield(id, nil) {
					return
				}
				seen[id] = true
			}
		}
	}
}

// hostsFirst picks the runs in which a host of this principal may have a part:
// those that wait for one first, and of them the oldest.
func (a *App) hostsFirst(newestFirst []run.Record) []string {
	var waiting, others []string
	for _, r := range slices.Backward(newestFirst) {
		switch {
		case r.PrincipalID != a.Config.Principal || !hasHost(&r):
		case r.Counts()[run.TaskAwaitingHost] > 0:
			waiting = append(waiting, r.RunID)
		default:
			others = append(others, r.RunID)
		}
	}
	return append(waiting, others...)
}

// hasHost says that a host has, or may have, a part in the run. A run started by
// hand shows its backends once its plan is resolved.
func hasHost(r *run.Record) bool {
	return r.AwaitsPlan || slices.ContainsFunc(r.Tasks, func(t run.Task) bool { return t.Backend == run.BackendHost })
}

// openInMirror lists open runs, newest first. A mirror that cannot be asked lists
// none.
func (a *App) openInMirror(ctx context.Context, _ *runs.Client) ([]run.Record, error) {
	mirror, _, err := a.Store(ctx)
	var page store.Page
	if err == nil {
		page, err = mirror.ListRuns(ctx, openRuns(a.Config.Tenant))
	}
	if err != nil {
		a.env.Log.Debug("the mirror cannot be asked for runs that await a host", "error", err)
		return nil, nil
	}
	return page.Runs, nil
}

func openInTemporal(tenant string) func(context.Context, *runs.Client) ([]run.Record, error) {
	return func(ctx context.Context, c *runs.Client) ([]run.Record, error) {
		page, err := c.ListPage(ctx, openRuns(tenant))
		return page.Runs, err
	}
}

func openRuns(tenant string) store.Query {
	return store.Query{
		Tenant: tenant, Limit: store.MaxLimit,
		Statuses: []run.Status{run.Planned, run.Running, run.AwaitingHost},
	}
}
