package app

import (
	"context"
	"errors"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/runs"
)

// Routing implements doctor.Deployments.
func (e *examinedServer) Routing(ctx context.Context) (runs.Routing, error) {
	reader, err := e.app.Runs(ctx)
	if err != nil {
		return runs.Routing{}, err
	}
	routing, err := reader.Routing(ctx)
	return routing, permitted(err)
}

// Pinned implements doctor.Deployments. Another tenant's run is as good as none.
func (e *examinedServer) Pinned(ctx context.Context, limit int) (pinned []doctor.PinnedRun, more bool, err error) {
	reader, err := e.app.Runs(ctx)
	if err != nil {
		return nil, false, err
	}
	open, more, err := newest(ctx, reader.OpenPinnedRuns, limit)
	if err != nil {
		return nil, false, permitted(err)
	}
	for _, id := range open {
		version, err := reader.Pinned(ctx, id)
		if errors.Is(err, runs.ErrNotFound) {
			continue // It has gone since it was listed.
		}
		if err != nil {
			return nil, false, permitted(err)
		}
		if _, err := reader.Get(ctx, e.app.Config.Tenant, id); err == nil && !version.IsZero() {
			pinned = append(pinned, doctor.PinnedRun{RunID: id, Version: version})
		}
	}
	return pinned, more, nil
}

// MakeCurrentCommand implements doctor.Deployments.
func (e *examinedServer) MakeCurrentCommand(v runs.Version) string { return MakeCurrentCommand(v) }
