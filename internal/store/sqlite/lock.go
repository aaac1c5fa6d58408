package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// locked runs work while no other process does the like to the same file.
// SQLite's own locks do not do for this: a migration is several transactions.
func locked(ctx context.Context, path string, work func() error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	// The lock belongs to the open file and ends with it, whatever happens.
	defer func() { err = errors.Join(err, file.Close()) }()
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return workOn(path, work)
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("sqlite: lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("sqlite: wait for the lock of %s: %w", path, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// workOn sees to it that the file is there and, when it was not, that only its
// owner may read it; SQLite gives its other files the same mode.
func workOn(path string, work func() error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	return work()
}
