package app

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// Awaiting implements doctor.Hosts. It folds the runs themselves, because claims
// come and go faster than a mirror follows.
func (e *examinedServer) Awaiting(ctx context.Context, limit int) ([]doctor.Awaiting, error) {
	reader, err := e.app.Runs(ctx)
	if err != nil {
		return nil, err
	}
	open, _, err := newest(ctx, reader.OpenRuns, limit)
	if err != nil {
		return nil, permitted(err)
	}
	var found []doctor.Awaiting
	for _, id := range open {
		folded, err := reader.Get(ctx, e.app.Config.Tenant, id)
		if errors.Is(err, runs.ErrUnreachable) || ctx.Err() != nil {
			return nil, permitted(err)
		}
		if err == nil && folded.Record.Counts()[run.TaskAwaitingHost] > 0 {
			found = append(found, awaitingOf(&folded.Record))
		}
	}
	return found, nil
}

func awaitingOf(r *run.Record) doctor.Awaiting {
	a := doctor.Awaiting{RunID: r.RunID}
	if r.UpdatedAt != nil {
		a.UpdatedAt = *r.UpdatedAt
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if t.Status != run.TaskAwaitingHost {
			continue
		}
		a.Tasks++
		if t.Host != nil && t.Host.ClaimExpires != nil {
			a.Claims = append(a.Claims, doctor.HostClaim{Task: t.ID, Holder: t.Host.ClaimedBy, Expires: *t.Host.ClaimExpires})
		}
	}
	return a
}

// Seen implements doctor.Hosts, from the mirror.
func (e *examinedServer) Seen(ctx context.Context) ([]string, error) {
	mirror, _, err := e.app.Store(ctx)
	if err != nil {
		return nil, err
	}
	page, err := mirror.ListRuns(ctx, store.Query{Tenant: e.app.Config.Tenant, Limit: store.MaxLimit})
	if err != nil {
		return nil, err
	}
	var seen []string
	for i := range page.Runs {
		for _, t := range page.Runs[i].Tasks {
			if t.Host == nil || t.Host.Role == "" {
				continue
			}
			name := cmp.Or(t.Host.ClientName, t.Host.Role)
			if t.Host.ClientVersion != "" {
				name += " " + t.Host.ClientVersion
			}
			if !slices.Contains(seen, name) {
				seen = append(seen, name)
			}
		}
	}
	return seen, nil
}
