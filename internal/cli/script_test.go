package cli

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// TestScripts plays a user story a file with the real binary, without any server.
// A script has a home and a working directory of its own, and no Temporal listens
// where it looks.
func TestScripts(t *testing.T) {
	t.Parallel()
	bin := filepath.Dir(testenv.Binary(t))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "tutti": tutti},
	})
}

// exits runs a command and wants one exit code: `exits 2 tutti run show`.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// tutti runs the command, as `exec tutti` does.
func tutti(ts *testscript.TestScript, neg bool, args []string) {
	switch err := ts.Exec("tutti", args...); {
	case err != nil && !neg:
		ts.Fatalf("it failed: %v", err)
	case err == nil && neg:
		ts.Fatalf("it succeeded and should not")
	}
}
