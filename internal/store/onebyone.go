package store

import (
	"context"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// OneByOne is Mirror.SaveAll for a store that cannot save several runs together. A
// history is kept before the row that says that its run has ended.
func OneByOne(ctx context.Context, s interface {
	Mirror
	ledger.Archive
}, list []Projection,
) error {
	for _, p := range list {
		if p.History != nil {
			if err := s.SaveHistory(ctx, *p.History); err != nil {
				return err
			}
		}
		if _, err := s.SaveRun(ctx, p.Snapshot); err != nil {
			return err
		}
	}
	return nil
}
