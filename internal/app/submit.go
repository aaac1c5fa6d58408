package app

import (
	"context"
	"errors"

	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
)

// WishError says that what was asked for cannot be, whoever asks again.
type WishError struct{ Err error }

// Error implements error.
func (e *WishError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *WishError) Unwrap() error { return e.Err }

// Make resolves a wish without starting anything. Tasks for which nobody chose a
// backend are prepared inline.
func (a *App) Make(ctx context.Context, w plan.Wish) (plan.Made, error) {
	return a.MakeFor(ctx, w, run.BackendInline)
}

// MakeFor is Make with another backend where nobody chose one.
func (a *App) MakeFor(ctx context.Context, w plan.Wish, otherwise run.Backend) (plan.Made, error) {
	if err := a.Config.RequireTenant(); err != nil {
		return plan.Made{}, err
	}
	w.TenantID, w.PrincipalID = a.Config.Tenant, a.Config.Principal
	m, err := a.maker(ctx)
	if err != nil {
		return plan.Made{}, err
	}
	m.Default = otherwise
	made, err := m.Make(w)
	var refused *plan.Refusal
	if errors.As(err, &refused) {
		return plan.Made{}, &WishError{Err: err}
	}
	return made, err
}

// Start starts what was made. Texts go into the store first, so that a run never
// refers to what is not there.
func (a *App) Start(ctx context.Context, made plan.Made, key string) (runs.Started, error) {
	return a.start(ctx, runs.Start{Input: made.Input, Key: key, Asked: made.Asked}, made)
}

// StartPinned is Start for a run that stays with the configured build of the
// workers. One must be configured.
func (a *App) StartPinned(ctx context.Context, made plan.Made, key string) (runs.Started, error) {
	return a.start(ctx, runs.Start{Input: made.Input, Key: key, Asked: made.Asked, Pin: a.version()}, made)
}

func (a *App) start(ctx context.Context, s runs.Start, made plan.Made) (runs.Started, error) {
	c, err := a.Runs(ctx)
	if err != nil {
		return runs.Started{}, err
	}
	if err := a.keep(ctx, made.Input.TenantID, made.Keep); err != nil {
		return runs.Started{}, err
	}
	if err := a.recordSpecialists(ctx, made); err != nil {
		return runs.Started{}, err
	}
	return c.Start(ctx, s)
}

// recordSpecialists keeps the versions that the run is submitted with. A store that
// cannot be had holds no run up: the projector records them when it is back.
func (a *App) recordSpecialists(ctx context.Context, made plan.Made) error {
	s, _, err := a.Store(ctx)
	if err == nil {
		err = kept.RecordSpecialists(ctx, s, made.Input.TenantID, made.Input.Plan)
	}
	if err != nil && !errors.Is(err, ledger.ErrSpecialistChanged) {
		a.env.Log.Debug("the specialists are not recorded yet", "error", err)
		return nil
	}
	return err
}

// Project brings one run into the mirror now, if the store can be reached. A
// client that starts or changes a run does it once itself, so that the run is
// listed before any worker comes.
func (a *App) Project(ctx context.Context, runID string) {
	c, err := a.Runs(ctx)
	if err != nil {
		return
	}
	mirror, _, err := a.Store(ctx)
	if err != nil {
		return
	}
	p := projector.New(c, mirror, projector.NewDirty(), projector.Options{Log: a.env.Log})
	if err := p.Project(ctx, runID); err != nil {
		a.env.Log.Debug("the run is not in the mirror yet", "run_id", runID, "error", err)
	}
}
