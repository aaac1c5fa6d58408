package ledger

import (
	"context"
	"errors"
	"time"
)

// ErrNoHistory is returned by Archive.LoadHistory when no history of the run is kept.
var ErrNoHistory = errors.New("no history archived")

// HistoryKey names a run in the archive.
type HistoryKey struct{ Tenant, RunID string }

// History is the whole history of a run that has closed. Body is opaque to the
// store; Codec says how to read it.
type History struct {
	HistoryKey
	TemporalRunID string
	LastEventID   int64
	ClosedAt      time.Time
	Codec         string
	Body          []byte
}

// Archive keeps the histories of closed runs, for when Temporal has forgotten them.
//
// SaveHistory stores a history if there is none of that Temporal run: what has
// closed does not change. LoadHistory returns the one that closed last, because
// after a reset a run has several, or ErrNoHistory. ListHistories pages over the
// runs of all tenants, by tenant and run ID, after the given one.
type Archive interface {
	SaveHistory(ctx context.Context, h History) error
	LoadHistory(ctx context.Context, tenant, runID string) (History, error)
	ListHistories(ctx context.Context, after HistoryKey, limit int) ([]HistoryKey, error)
}
