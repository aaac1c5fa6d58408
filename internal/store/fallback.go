package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// FallbackFile is the name of the file in the data directory that says which
// store stands in for which.
const FallbackFile = "store-fallback.json"

// ErrFallbackFile is returned for a fallback file that cannot be understood.
var ErrFallbackFile = errors.New("the store's fallback file is damaged")

// Fallback says that processes of a data directory which ask for one store use
// another, until somebody clears it.
type Fallback struct {
	Replaces string    `json:"replaces"` // the store that could not be had
	Store    string    `json:"store"`    // the store that stands in
	Reason   string    `json:"reason"`
	Since    time.Time `json:"since"`
}

// Fallbacks are the fallbacks of a data directory, at most one for each store
// that is replaced.
type Fallbacks []Fallback

// For returns the fallback of a store.
func (fs Fallbacks) For(name string) (Fallback, bool) {
	i := slices.IndexFunc(fs, func(f Fallback) bool { return f.Replaces == name })
	if i < 0 {
		return Fallback{}, false
	}
	return fs[i], true
}

// ReadFallbacks returns the fallbacks of a data directory, none where nothing
// is written. It takes no lock: the file is replaced as a whole.
func ReadFallbacks(dataDir string) (Fallbacks, error) {
	raw, err := os.ReadFile(filepath.Join(dataDir, FallbackFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the store's fallbacks: %w", err)
	}
	var known Fallbacks
	if err := json.Unmarshal(raw, &known); err != nil {
		return nil, damaged(dataDir, err)
	}
	for _, f := range known {
		if !slices.Contains(Choosable(), f.Replaces) || f.Store != NameFilesystem {
			return nil, damaged(dataDir, fmt.Errorf("%q for %q", f.Store, f.Replaces))
		}
	}
	return known, nil
}

func damaged(dataDir string, err error) error {
	return fmt.Errorf("%w: %s; run tutti doctor --fix: %w", ErrFallbackFile, filepath.Join(dataDir, FallbackFile), err)
}

// WriteFallback adds a fallback to those of a data directory and returns the
// one that holds: an earlier one for the same store stays as it is.
func WriteFallback(dataDir string, f Fallback) (Fallback, error) {
	holds := f
	err := locked(dataDir, func() error {
		known, err := ReadFallbacks(dataDir)
		if err != nil {
			return err
		}
		if earlier, ok := known.For(f.Replaces); ok {
			holds = earlier
			return nil
		}
		return replaceFallbacks(dataDir, append(known, f))
	})
	if err != nil {
		return Fallback{}, err
	}
	return holds, nil
}

// ClearFallbacks removes the fallbacks of a data directory, also a damaged
// file, and returns those that it could read. What the standing-in store holds
// stays where it is.
func ClearFallbacks(dataDir string) (Fallbacks, error) {
	var cleared Fallbacks
	path := filepath.Join(dataDir, FallbackFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err := locked(dataDir, func() error {
		var err error
		if cleared, err = ReadFallbacks(dataDir); err != nil && !errors.Is(err, ErrFallbackFile) {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear the store's fallbacks: %w", err)
		}
		return nil
	})
	return cleared, err
}

// locked runs a change of the file while no other process changes it. The lock
// is the kernel's, so it ends with the process that holds it.
func locked(dataDir string, change func() error) error {
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dataDir, FallbackFile+".lock")).Lock()
	if err != nil {
		return fmt.Errorf("lock the store's fallbacks: %w", err)
	}
	defer unlock()
	return change()
}

// replaceFallbacks puts a whole new file in the place of the old one, so that a
// reader or a crash finds one or the other.
func replaceFallbacks(dataDir string, all Fallbacks) error {
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the store's fallbacks: %w", err)
	}
	temp, err := os.CreateTemp(dataDir, FallbackFile+".*.tmp")
	if err != nil {
		return fmt.Errorf("write the store's fallbacks: %w", err)
	}
	// Once the file has its name, there is nothing left to remove.
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(append(raw, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dataDir, FallbackFile))
	}
	if err != nil {
		return fmt.Errorf("write the store's fallbacks: %w", err)
	}
	return syncDir(dataDir)
}

// syncDir makes a rename last over a power cut.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sync the data directory: %w", err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return fmt.Errorf("sync the data directory: %w", err)
	}
	return nil
}
