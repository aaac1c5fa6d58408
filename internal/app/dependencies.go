package app

import (
	"context"

	"github.com/tutti-dev/tutti/activities"
)

// dependencies wires the ports that activities use.
func (a *App) dependencies(ctx context.Context) (activities.Dependencies, error) {
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
		Log:       a.env.Log,
	}, nil
}
