package memory

import (
	"context"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

// AcquireLease implements store.Leases.
func (s *Store) AcquireLease(ctx context.Context, name, holder string, lasts time.Duration) (granted bool, err error) {
	err = s.locked(ctx, func() {
		now := time.Now()
		if granted = s.leases[name].Grants(holder, now); granted {
			s.leases[name] = store.Lease{Holder: holder, Until: store.Micro(now.Add(lasts))}
		}
	})
	return granted, err
}

// ReleaseLease implements store.Leases.
func (s *Store) ReleaseLease(ctx context.Context, name, holder string) error {
	return s.locked(ctx, func() {
		if s.leases[name].Holder == holder {
			delete(s.leases, name)
		}
	})
}

// LoadLease implements store.Leases.
func (s *Store) LoadLease(ctx context.Context, name string) (held store.Lease, err error) {
	err = s.locked(ctx, func() {
		if l := s.leases[name]; l.Until.After(time.Now()) {
			held = l
		}
	})
	return held, err
}
