package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/store/sqlite"
)

// tryStore really opens a store, closes it, and says whether it could be used.
// Opening makes a file that is not there; one who only looks leaves it to those
// who need it, and such a store is fresh.
func (a *App) tryStore(ctx context.Context, name string) (fresh bool, err error) {
	if path := a.storePath(name); path != "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
	}
	s, err := a.openNamed(ctx, name)
	if s != nil {
		_ = s.Close() // Nothing was written that closing could lose.
	}
	return false, err
}

// storePath is where a store is on this machine, "" for one that is elsewhere.
func (a *App) storePath(name string) string {
	switch name {
	case store.NameSQLite:
		return a.sqlitePath()
	case store.NameFilesystem:
		return filepath.Join(a.Config.DataDir, "store")
	}
	return ""
}

// schemaOf is the schema version that this binary works with.
func schemaOf(name string) int64 {
	return map[string]int64{
		store.NamePostgres:   postgres.SchemaVersion,
		store.NameSQLite:     sqlite.SchemaVersion,
		store.NameFilesystem: filesystem.FormatVersion,
	}[name]
}

// plainError is an adapter's error in our own words.
type plainError struct {
	words string
	err   error
}

// Error implements error.
func (e *plainError) Error() string { return e.words }

// Unwrap returns the adapter's error.
func (e *plainError) Unwrap() error { return e.err }

// plainly says what keeps a store from being used. The words of a database
// driver may hold its address, so only what is known to be harmless comes
// through: what the network said, and the code of a refusal. What the ports
// define keeps its own words.
func plainly(err error) error {
	var coded interface{ SQLState() string }
	var dial *net.OpError
	var lookup *net.DNSError
	switch {
	case err == nil, errors.Is(err, store.ErrSchema), errors.Is(err, store.ErrSettings):
		return err
	case errors.As(err, &coded):
		return &plainError{fmt.Sprintf("the database refuses (SQLSTATE %s)", coded.SQLState()), err}
	case errors.As(err, &lookup):
		return &plainError{lookup.Error(), err}
	case errors.As(err, &dial):
		return &plainError{dial.Error(), err}
	case errors.Is(err, context.DeadlineExceeded):
		return &plainError{fmt.Sprintf("there was no answer within %s", checkTimeout), err}
	}
	return err
}
