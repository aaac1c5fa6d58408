package sqlite

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tutti-dev/tutti/internal/store"
)

// failed says what could not be done, as the port's errors.
func failed(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	if mendable(err) && ctx.Err() == nil {
		return fmt.Errorf("sqlite: %s: %w: %w", what, store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlite: %s: %w", what, err)
}

// mendable says whether another try may succeed: the file was locked for too
// long, or the disk is full, failing or not there.
func mendable(err error) bool {
	var refused *sqlite.Error
	if !errors.As(err, &refused) {
		return false
	}
	const primary = 0xff // an extended code keeps the primary one in its lowest byte
	switch refused.Code() & primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}
