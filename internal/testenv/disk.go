package testenv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Disk is a file system of its own that a test may fill: a write to a full one fails as it does on
// any disk, which no file mode and no limit of a process imitates.
type Disk struct {
	t    testing.TB
	path string
}

// mountNeeds is the next step where nothing may be mounted.
const mountNeeds = "a test that fills a disk mounts one: run it as root, or under `unshare --map-root-user --mount`"

// SmallDisk mounts a file system of so many bytes in memory until the test ends.
func SmallDisk(t testing.TB, size int) *Disk {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "mount")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tutti-test", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", mountNeeds, err, output)
	}
	keeper, err := startGuard(0, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := keeper.release(); err != nil {
			t.Error(err)
		}
	})
	return &Disk{t: t, path: path}
}

// Path is the file system's top folder.
func (d *Disk) Path() string { return d.path }

// Fill takes all the space there is. It may be called again, when some has become free.
func (d *Disk) Fill() {
	d.t.Helper()
	f, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	_, err = io.Copy(f, zeros{})
	if closing := f.Close(); !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatalf("filling a disk: %v, %v", err, closing)
	}
}

// Free gives back what Fill took.
func (d *Disk) Free() {
	d.t.Helper()
	if err := os.Remove(d.ballast()); err != nil {
		d.t.Fatal(err)
	}
}

func (d *Disk) ballast() string { return filepath.Join(d.path, "ballast") }

// zeros never ends.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
