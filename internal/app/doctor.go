package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// Examine looks at everything that this process would use. Apart from what
// o.Fix allows, it changes nothing. The MCP server stands above this package and
// is handed in.
func (a *App) Examine(ctx context.Context, mcp doctor.MCP, o doctor.Options) (doctor.Report, error) {
	server := &examinedServer{app: a}
	return doctor.Examine(ctx, doctor.Subject{
		Config: a.Config, ConfigError: a.Check(), Environ: a.env.Environ,
		DataDir: examinedDir(a.Config.DataDir),
		Store:   examinedStore{a}, Temporal: server, Attributes: server, Queue: server, Runs: server, Deployments: server, Hosts: server, MCP: mcp,
		Providers:   examinedProviders{a},
		Specialists: examinedSpecialists{a}, Chains: examinedChains{a},
		Now: time.Now(),
	}, o)
}

// examinedDir implements doctor.DataDir.
type examinedDir string

// Path implements doctor.DataDir.
func (d examinedDir) Path() string { return string(d) }

// Look implements doctor.DataDir. It asks the system for the right and the
// room to write instead of writing.
func (d examinedDir) Look() error {
	info, err := os.Stat(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case err != nil:
		return fmt.Errorf("look at it: %w", err)
	case !info.IsDir():
		return errors.New("it is no directory")
	}
	if err := unix.Access(string(d), unix.R_OK|unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("read and write it: %w", err)
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(string(d), &disk); err != nil {
		return fmt.Errorf("look how much room it has: %w", err)
	}
	// A file system that counts no blocks has no limit that it could tell of.
	if free := uint64(disk.Bavail) * uint64(disk.Bsize); disk.Blocks > 0 && free < roomNeeded { //nolint:unconvert // the types differ from system to system
		return fmt.Errorf("%w: %d bytes are left", doctor.ErrDiskFull, free)
	}
	return nil
}

// roomNeeded is what one long answer with its row takes.
const roomNeeded = 4 << 20

// Make implements doctor.DataDir. What tutti keeps is its user's alone.
func (d examinedDir) Make() error { return os.MkdirAll(string(d), 0o700) }

// examinedSpecialists implements doctor.Library.
type examinedSpecialists struct{ app *App }

// Load implements doctor.Library.
func (e examinedSpecialists) Load() (doctor.Definitions, error) {
	catalogue, err := e.app.Specialists()
	if err != nil {
		return doctor.Definitions{}, err
	}
	var found doctor.Definitions
	for _, s := range catalogue.All() {
		found.Usable++
		if isBuiltIn(s.Source) {
			found.BuiltIn++
		}
		found.Remarks = append(found.Remarks, s.Warnings...)
	}
	for _, p := range catalogue.Problems() {
		found.Refused = append(found.Refused, p.Err)
	}
	return found, nil
}

// examinedChains implements doctor.Library.
type examinedChains struct{ app *App }

// Load implements doctor.Library. A chain that names a specialist who is not
// there is refused as it would be when it is used.
func (e examinedChains) Load() (doctor.Definitions, error) {
	specialists, err := e.app.Specialists()
	if err != nil {
		return doctor.Definitions{}, err
	}
	chains, err := e.app.Chains()
	if err != nil {
		return doctor.Definitions{}, err
	}
	var found doctor.Definitions
	for _, p := range chains.Problems() {
		found.Refused = append(found.Refused, p.Err)
	}
	for _, c := range chains.All() {
		if err := c.Validate(lookupIn(specialists)); err != nil {
			found.Refused = append(found.Refused, err)
			continue
		}
		found.Usable++
		if isBuiltIn(c.Source) {
			found.BuiltIn++
		}
	}
	return found, nil
}

// isBuiltIn recognises the label of what came with the binary.
func isBuiltIn(source string) bool { return strings.HasPrefix(source, "built-in/") }

func lookupIn(c *specialist.Catalogue) func(string) error {
	return func(name string) error {
		_, err := c.Get(name)
		return err
	}
}
