package app

import (
	"context"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// archive is the chosen store's, which is opened only when a run is asked for that
// Temporal does not have.
type archive struct{ app *App }

// LoadHistory implements runs.Archive.
func (a archive) LoadHistory(ctx context.Context, tenant, runID string) (ledger.History, error) {
	s, _, err := a.app.Store(ctx)
	if err != nil {
		return ledger.History{}, err
	}
	h, err := s.LoadHistory(ctx, tenant, runID)
	return h, plainly(err)
}
