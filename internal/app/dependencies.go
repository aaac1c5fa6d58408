package app

import (
	"context"

	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/activities"
)

// dependencies wires the ports that activities use, on the worker's connection.
func (a *App) dependencies(ctx context.Context, c client.Client, beats *activities.Beats) (activities.Dependencies, error) {
	kept, choice, err := a.Store(ctx)
	if err != nil {
		return activities.Dependencies{}, err
	}
	if choice.Warning != "" {
		a.env.Log.Warn(choice.Warning)
	}
	return activities.Dependencies{
		Store:     kept,
		Caller:    caller(),
		Endpoints: endpoints{definitions: a.Providers(), lookup: a.env.Lookup},
		Planner:   planner{app: a},
		Queues:    queues{temporal: c},
		Log:       a.env.Log,

		Beats:       beats,
		Concurrency: a.concurrency(),
	}, nil
}
