package store

import (
	"context"
	"time"
)

// SweeperLease is the name of the lease whose holder sweeps.
const SweeperLease = "sweeper"

// Lease says who may do a job that one process at a time does.
type Lease struct {
	Holder string
	Until  time.Time
}

// Leases hands out leases by name. A lease ends by itself, so that a holder that
// was killed holds nobody up.
//
// AcquireLease takes a lease that is free or has run out, renews the holder's own,
// and reports whether the holder has it now. ReleaseLease gives back the holder's
// own and is a no-op otherwise. LoadLease returns the zero Lease when nobody holds
// it. Times are the store's: its server's where it has one, else this machine's.
type Leases interface {
	AcquireLease(ctx context.Context, name, holder string, lasts time.Duration) (bool, error)
	ReleaseLease(ctx context.Context, name, holder string) error
	LoadLease(ctx context.Context, name string) (Lease, error)
}

// Grants says whether the holder may have the lease at the time.
func (l Lease) Grants(holder string, now time.Time) bool {
	return l.Holder == holder || !l.Until.After(now)
}
