package filesystem

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

func (s *Store) leaseFile(lease string) string {
	return filepath.Join(s.dir, "mirror", "leases", name(lease)+".json")
}

// AcquireLease implements store.Leases.
func (s *Store) AcquireLease(ctx context.Context, lease, holder string, lasts time.Duration) (granted bool, err error) {
	err = s.lockedBy(ctx, "lease", func() error {
		var held store.Lease
		if _, err := readJSON(s.leaseFile(lease), &held); err != nil {
			return err
		}
		now := time.Now()
		if granted = held.Grants(holder, now); !granted {
			return nil
		}
		raw, err := json.Marshal(store.Lease{Holder: holder, Until: store.Micro(now.Add(lasts))})
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		return replace(s.leaseFile(lease), raw)
	})
	return granted && err == nil, failed("acquire a lease", err)
}

// ReleaseLease implements store.Leases.
func (s *Store) ReleaseLease(ctx context.Context, lease, holder string) error {
	return failed("release a lease", s.lockedBy(ctx, "lease", func() error {
		var held store.Lease
		found, err := readJSON(s.leaseFile(lease), &held)
		if err != nil || !found || held.Holder != holder {
			return err
		}
		return os.Remove(s.leaseFile(lease))
	}))
}

// LoadLease implements store.Leases.
func (s *Store) LoadLease(ctx context.Context, lease string) (store.Lease, error) {
	if err := ctx.Err(); err != nil {
		return store.Lease{}, failed("load a lease", err)
	}
	var held store.Lease
	_, err := readJSON(s.leaseFile(lease), &held)
	if err != nil || !held.Until.After(time.Now()) {
		return store.Lease{}, failed("load a lease", err)
	}
	return held, nil
}
