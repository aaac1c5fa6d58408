package app

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
)

// ProjectionStatus says how far the mirror is behind.
func (a *App) ProjectionStatus(ctx context.Context, now time.Time) (projector.Status, error) {
	s, _, err := a.survey(ctx)
	if err != nil {
		return projector.Status{}, err
	}
	return s.Status(ctx, now)
}

// VerifyProjection compares every row with its history.
func (a *App) VerifyProjection(ctx context.Context, now time.Time) (projector.Verified, error) {
	s, _, err := a.survey(ctx)
	if err != nil {
		return projector.Verified{}, err
	}
	return s.Verify(ctx, now)
}

// RebuildProjection folds every history into the mirror, which may have been dropped.
func (a *App) RebuildProjection(ctx context.Context) (projector.Rebuilt, error) {
	if err := a.restoreMirror(ctx); err != nil {
		return projector.Rebuilt{}, err
	}
	s, _, err := a.survey(ctx)
	if err != nil {
		return projector.Rebuilt{}, err
	}
	return s.Rebuild(ctx)
}

// PruneKept removes kept data that nothing refers to.
func (a *App) PruneKept(ctx context.Context, now time.Time, dryRun bool) (ledger.Discarded, error) {
	s, kept, err := a.survey(ctx)
	if err != nil {
		return ledger.Discarded{}, err
	}
	return s.Prune(ctx, kept, now, dryRun)
}

// restoreMirror puts a mirror that was dropped back before the store is chosen,
// because a store without it cannot be.
func (a *App) restoreMirror(ctx context.Context) error {
	result, err := a.SchemaOf()
	if err != nil || result.Store != store.NamePostgres {
		return err
	}
	s, err := postgres.Open(ctx, a.Config.DatabaseURL.Reveal(), postgres.Options{})
	if err != nil {
		return errors.Join(store.ErrSettings, errors.New("DATABASE_URL cannot be read as a Postgres address"))
	}
	defer func() { _ = s.Close() }() // The mirror is committed by then.
	return migrationError(store.NamePostgres, s.RestoreMirror(ctx))
}

func (a *App) survey(ctx context.Context) (*projector.Survey, store.Store, error) {
	c, err := a.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	mirror, _, err := a.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	return projector.NewSurvey(c, mirror, projector.Options{Log: a.env.Log}), mirror, nil
}
