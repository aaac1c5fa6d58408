package store

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

var (
	// ErrNotFound is returned when the tenant has no such run.
	ErrNotFound = errors.New("run not found in the mirror")
	// ErrSchema is returned when the store has another schema version than this
	// binary. Nothing migrates in silence.
	ErrSchema = errors.New("store has another schema version")
	// ErrUnavailable wraps failures that another try may mend.
	ErrUnavailable = errors.New("store unavailable")
	// ErrCursor is returned for a cursor that no list gave out.
	ErrCursor = errors.New("the cursor is not one that a list gave out")
)

// Snapshot is one projection of a run: the record, its events, and what decides
// which of two projections wins.
type Snapshot struct {
	Record run.Record
	Events []run.Stamped
	// Builder is the version of the fold that made it.
	Builder int
	// Current says that Temporal names this Temporal run the current one of its
	// run ID. It decides between two Temporal runs of one ID (reset, reuse).
	Current bool
	// Rebuild says that the snapshot replaces an equal version too: a row whose
	// content is not what its version says is mended so.
	Rebuild bool
}

// Projection is all that is kept of a run: its snapshot, and the history of one
// that has closed.
type Projection struct {
	Snapshot Snapshot
	History  *ledger.History
}

// Mirror keeps the projected runs.
//
// SaveRun stores a snapshot in one transaction and reports whether it won. For
// one Temporal run the greater (LastEventID, Builder) wins; equal is a no-op unless
// it is a Rebuild. Against a row of another Temporal run a snapshot wins only if it
// is Current. Against a row of a newer builder it never wins.
// SaveAll keeps several projections, each history as ledger.Archive does and each
// snapshot as SaveRun does, together where the store can: one transaction costs far
// less than one for each. Each run stands in the list once. After an error any of
// them may be missing, and to save them again does no harm.
// LoadRun returns ErrNotFound when the tenant has no such run. ListRuns pages
// by (CreatedAt, RunID), newest first.
type Mirror interface {
	SaveRun(ctx context.Context, s Snapshot) (bool, error)
	SaveAll(ctx context.Context, list []Projection) error
	LoadRun(ctx context.Context, tenant, runID string) (Snapshot, error)
	ListRuns(ctx context.Context, q Query) (Page, error)
}

// Query selects runs of one tenant.
type Query struct {
	Tenant   string
	Statuses []run.Status
	Chain    string
	Backend  string
	Since    time.Time // created at or after
	IDPrefix string
	Limit    int // 0 means DefaultLimit; at most MaxLimit
	Cursor   string
}

// Limits of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// Page is one page of records, newest first; texts longer than 1 KiB are left
// out of Output, FinalMessage and prompts. NextCursor is empty on the last page.
type Page struct {
	Runs       []run.Record
	NextCursor string
	// Notice is what the store has to say about itself, or empty.
	Notice string
}

// Open names a run of the mirror, as far as a sweep wants to know it.
type Open struct {
	Tenant, RunID, TemporalRunID string
	LastEventID                  int64
	Builder                      int
}

// Sweeps is what the projector's sweep needs beside the Mirror.
//
// OpenRuns lists, over all tenants, the runs the mirror holds as open.
// OutdatedRuns lists runs folded by an older builder, the oldest builder's first,
// that stand after the given one; the zero Open stands before all of them, and each
// page goes on after the last of the page before, so that runs which cannot be
// folded again hold up no other. EndedRuns returns those of the asked runs, by tenant,
// run ID and Temporal's run ID, that the mirror has with their end, folded by the
// builder or a newer one. Watermark is the close
// time up to which closed runs are known to be projected; it never goes back.
type Sweeps interface {
	OpenRuns(ctx context.Context, limit int, after string) ([]Open, error)
	OutdatedRuns(ctx context.Context, builder, limit int, after Open) ([]Open, error)
	EndedRuns(ctx context.Context, builder int, asked []Open) ([]Open, error)
	Watermark(ctx context.Context) (time.Time, error)
	SetWatermark(ctx context.Context, at time.Time) error
}
