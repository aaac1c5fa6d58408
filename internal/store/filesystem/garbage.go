package filesystem

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// EachAnswer implements ledger.Garbage.
func (s *Store) EachAnswer(ctx context.Context, visit func(body []byte) error) error {
	return s.walk(ctx, "answers", func(path string, _ fs.FileInfo) error {
		var file answerFile
		if found, err := readJSON(path, &file); err != nil || !found {
			return err
		}
		return visit(file.Body)
	})
}

// Discard implements ledger.Garbage. A file is as old as its last change, which
// putting a text again counts as.
func (s *Store) Discard(ctx context.Context, before time.Time, used ledger.Used, dryRun bool) (d ledger.Discarded, err error) {
	runs := make(map[string]bool, len(used.Runs))
	for runID := range used.Runs {
		runs[name(runID)] = true
	}
	remove := func(path string) error {
		if dryRun {
			return nil
		}
		return os.Remove(path)
	}
	err = errors.Join(
		s.walk(ctx, "contents", func(path string, info fs.FileInfo) error {
			if !info.ModTime().Before(before) || used.Contents[filepath.Base(path)] {
				return nil
			}
			d.Contents++
			d.Bytes += info.Size()
			return remove(path)
		}),
		s.walk(ctx, "answers", func(path string, info fs.FileInfo) error {
			if !info.ModTime().Before(before) || runs[s.runOf(path)] {
				return nil
			}
			d.Answers++
			return remove(path)
		}),
		s.walk(ctx, "calls", func(path string, info fs.FileInfo) error {
			if !info.ModTime().Before(before) || runs[s.runOf(path)] {
				return nil
			}
			d.Attempts++
			return s.removeAttempt(path, remove)
		}),
	)
	return d, failed("discard", err)
}

// runOf is the name of the run in the path of an answer or an attempt: the fourth
// folder in kept/<tenant>/<kind>/<run>/….
func (s *Store) runOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, s.dir), string(filepath.Separator))
	return parts[4]
}

// removeAttempt removes the source that names the attempt first: one without an
// attempt would give its number to a request that is made again.
func (s *Store) removeAttempt(path string, remove func(string) error) error {
	var file attemptFile
	if _, err := readJSON(path, &file); err != nil {
		return err
	}
	parts := strings.Split(strings.TrimPrefix(path, s.dir), string(filepath.Separator))
	source := filepath.Join(s.dir, "kept", parts[2], "sources", name(file.Source)+".json")
	if err := remove(source); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return remove(path)
}

// walk visits the files of one kind of kept data, of all tenants.
func (s *Store) walk(ctx context.Context, kind string, visit func(path string, info fs.FileInfo) error) error {
	tenants, err := entries(filepath.Join(s.dir, "kept"))
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		err := filepath.WalkDir(filepath.Join(s.dir, "kept", tenant, kind), func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // Nothing of this kind, or it went away meanwhile.
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil || e.IsDir() || e.Name()[0] == '.' {
				return err
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			return visit(path, info)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
