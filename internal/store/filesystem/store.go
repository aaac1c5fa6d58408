package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tutti-dev/tutti/internal/store"
)

// FormatVersion is the version of the layout that this binary works with.
const FormatVersion = 1

// Store is the adapter. It is safe for concurrent use.
type Store struct {
	dir string
}

var _ store.Store = (*Store)(nil)

// Open opens the folder, and makes it if it is not there. The error is
// store.ErrSchema for a folder with another layout.
func Open(dir string) (*Store, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("filesystem: %w", err)
	}
	s := &Store{dir: whole}
	if err := makeDir(filepath.Join(whole, "locks")); err != nil {
		return nil, failed("open", err)
	}
	if _, err := create(s.format(), fmt.Appendf(nil, "%d\n", FormatVersion)); err != nil {
		return nil, failed("open", err)
	}
	if err := s.Check(context.Background()); err != nil {
		return nil, err
	}
	return s, nil
}

// Name implements store.Store.
func (s *Store) Name() string { return "filesystem" }

// Close implements store.Store. There is nothing to close.
func (s *Store) Close() error { return nil }

// Check implements store.Store.
func (s *Store) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("filesystem: check: %w", err)
	}
	raw, err := os.ReadFile(s.format())
	if err != nil {
		return failed("check", err)
	}
	if found := strings.TrimSpace(string(raw)); found != fmt.Sprint(FormatVersion) {
		return fmt.Errorf("filesystem: %w: %s has format %q and this binary knows %d: choose another folder or the other tutti",
			store.ErrSchema, s.dir, found, FormatVersion)
	}
	return nil
}

func (s *Store) format() string { return filepath.Join(s.dir, "format") }

// failed says what could not be done. Whatever a disk refuses today, for want of
// space or of permission, it may grant tomorrow.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	var refused *fs.PathError
	var linking *os.LinkError
	if errors.As(err, &refused) || errors.As(err, &linking) {
		return fmt.Errorf("filesystem: %s: %w: %w", what, store.ErrUnavailable, err)
	}
	return fmt.Errorf("filesystem: %s: %w", what, err)
}
