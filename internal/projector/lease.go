package projector

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// leaseLasts is how long a sweeper that was killed keeps others from sweeping. It
// is several sweeps, so that one slow round does not change the sweeper.
const leaseLasts = 30 * time.Second

// errNotSweeper says that another process sweeps.
var errNotSweeper = errors.New("another process sweeps")

// lead takes or renews the sweeper's lease. It is renewed before each page of a
// sweep. Should it be lost all the same, two sweep for a while: that costs reads
// and changes nothing, because the mirror takes each version of a run once.
func (p *Projector) lead(ctx context.Context) error {
	granted, err := p.mirror.AcquireLease(ctx, store.SweeperLease, p.o.Name, leaseLasts)
	if err == nil && !granted {
		err = errNotSweeper
	}
	return err
}

// resign lets another process sweep at once when this one stops.
func (p *Projector) resign(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := p.mirror.ReleaseLease(ctx, store.SweeperLease, p.o.Name); err != nil {
		p.o.Log.Debug("the sweeper's lease runs out by itself", "error", err)
	}
}

// someName names a process that was given no name.
func someName() string { return "projector-" + rand.Text() }
