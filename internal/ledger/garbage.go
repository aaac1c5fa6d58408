package ledger

import (
	"context"
	"time"
)

// Used is what of the kept data somebody still refers to, over all tenants: a
// digest or a run that only another tenant uses is kept too.
type Used struct {
	// Contents are the digests that some record, history or answer names.
	Contents map[string]bool
	// Runs are the runs that the mirror, the archive or Temporal has.
	Runs map[string]bool
}

// Discarded counts what a Discard took.
type Discarded struct {
	Contents int64 `json:"contents"`
	Bytes    int64 `json:"bytes"`
	Answers  int64 `json:"answers"`
	Attempts int64 `json:"attempts"`
}

// Garbage finds and removes kept data that nobody refers to.
//
// EachAnswer hands out the body of every stored answer, which may name contents.
// Discard removes contents that were last put before the time and are not used,
// and the answers and attempts of runs that are not used, if they were made
// before it. With dryRun it only counts.
type Garbage interface {
	EachAnswer(ctx context.Context, visit func(body []byte) error) error
	Discard(ctx context.Context, before time.Time, used Used, dryRun bool) (Discarded, error)
}
