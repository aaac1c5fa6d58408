package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

const checkDataDir = "data directory"

// ErrDiskFull says that there is no room left for what has to be written.
var ErrDiskFull = errors.New("its disk is full")

// DataDir is the directory in which this machine keeps what is its own.
type DataDir interface {
	Path() string
	// Look returns nil for a directory that can be used, fs.ErrNotExist for none,
	// ErrDiskFull for one without room, and otherwise why it cannot be used.
	Look() error
	Make() error
}

func (e examination) dataDir(context.Context) []Finding {
	dir := e.subject.DataDir
	err := dir.Look()
	switch {
	case err == nil:
		return []Finding{fine(checkDataDir, "%s", dir.Path())}
	case errors.Is(err, ErrDiskFull):
		return []Finding{trouble(checkDataDir, fmt.Errorf("%s: %w", dir.Path(), err),
			"make room there; runs that wait for it then go on by themselves")}
	case !errors.Is(err, fs.ErrNotExist):
		return []Finding{unusableDir(dir.Path(), err)}
	case !e.fix:
		return []Finding{{
			Check: checkDataDir, Level: Advice, Fixable: true,
			Message:  fmt.Sprintf("%s is not there yet", dir.Path()),
			NextStep: "nothing, the first command that needs it makes it; or run `tutti doctor --fix`",
		}}
	}
	if err := dir.Make(); err != nil {
		return []Finding{unusableDir(dir.Path(), err)}
	}
	f := fine(checkDataDir, "made %s", dir.Path())
	f.Fixable, f.Fixed = true, true
	return []Finding{f}
}

// unusableDir is a refused setting: the path is chosen by the configuration.
func unusableDir(path string, err error) Finding {
	return trouble(checkDataDir, &RefusedError{Err: fmt.Errorf("%s cannot be used: %w", path, err)},
		"give the directory to the user that runs tutti, or set TUTTI_DATA_DIR")
}
