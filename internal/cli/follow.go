package cli

import (
	"context"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/runs"
)

// follow shows a run as it goes, from its beginning, until it has ended or
// waits for a host, and returns what is known of it then. When the context ends
// first, the error comes with the latest state.
func follow(ctx context.Context, client *runs.Client, tenant, runID string, p *progress) (history.Folded, error) {
	last, err := client.Get(ctx, tenant, runID)
	if err != nil {
		return last, err
	}
	// A run may have waited for hosts before. Only what is true now ends the
	// wait, not what is read again on the way to now.
	caughtUp := last.Record.LastEventID
	err = client.Follow(ctx, tenant, runID, func(f history.Folded) (bool, error) {
		last = f
		p.see(f)
		waits := awaitsHost(&f.Record) && f.Record.LastEventID >= caughtUp
		return !waits, nil
	})
	return last, err
}
