package filesystem

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// lockRetry is how often a lock that another holds is tried again; a save takes
// a few milliseconds.
const lockRetry = 2 * time.Millisecond

// locked runs work while it holds the lock of the run, against other processes
// and against others in this one. There are 256 lock files, so that they need
// never be removed; two runs may share one.
func (s *Store) locked(ctx context.Context, tenant, runID string, work func() error) error {
	sum := sha256.Sum256([]byte(tenant + "\x00" + runID))
	return s.lockedBy(ctx, fmt.Sprintf("%02x", sum[0]), work)
}

func (s *Store) lockedBy(ctx context.Context, lock string, work func() error) (err error) {
	file, err := os.OpenFile(filepath.Join(s.dir, "locks", lock), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	// The lock belongs to the open file and ends with it.
	defer func() { err = errors.Join(err, file.Close()) }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return work()
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return &os.PathError{Op: "flock", Path: file.Name(), Err: err}
		}
		select {
		case <-ctx.Done():
		case <-time.After(lockRetry):
		}
	}
}
