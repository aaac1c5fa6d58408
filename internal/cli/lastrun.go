package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// lastRunFile holds the ID of the run that was started last from a data directory.
const lastRunFile = "last-run"

// errNoLastRun says that no run was started from the data directory yet.
var errNoLastRun = errors.New("no run was started from this data directory")

// rememberRun makes a run what `@last` stands for. The file is replaced as a
// whole, so that a reader finds the old ID or the new one.
func rememberRun(dataDir, runID string) error {
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return fmt.Errorf("remember the run: %w", err)
	}
	temp, err := os.CreateTemp(dataDir, lastRunFile+".*.tmp")
	if err != nil {
		return fmt.Errorf("remember the run: %w", err)
	}
	// Once the file has its name, there is nothing left to remove.
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(runID + "\n")
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(dataDir, lastRunFile))
	}
	if err != nil {
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

// lastRun returns the ID that rememberRun wrote last, or errNoLastRun.
func lastRun(dataDir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dataDir, lastRunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNoLastRun
	}
	if err != nil {
		return "", fmt.Errorf("read which run was started last: %w", err)
	}
	runID := strings.TrimSpace(string(raw))
	if runID == "" {
		return "", errNoLastRun
	}
	return runID, nil
}
