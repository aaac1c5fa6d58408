package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binary is a built command in a folder that is removed when the test process is gone.
type binary struct {
	path   string
	keeper *guard
}

// builtBinary is the command of this test process, built by the first that asks.
var builtBinary = sync.OnceValues(buildBinary)

func buildBinary() (*binary, error) {
	root, err := repositoryRoot()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "tutti-binary-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the binary: %w", err)
	}
	keeper, err := startGuard(0, "", folder)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "tutti")
	// Without -buildvcs=false a clone that belongs to another user does not build. The environment is
	// that of the tests, so that everything that they have compiled already is used.
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "./cmd/tutti")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building cmd/tutti: %w:\n%s", err, output)
	}
	return &binary{path: path, keeper: keeper}, nil
}

// Binary returns the path of the tutti binary, built from the code under test.
func Binary(t testing.TB) string {
	t.Helper()
	built, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	return built.path
}
