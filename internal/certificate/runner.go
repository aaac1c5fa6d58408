package certificate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// packageTime is how long one package's tests may take; the longest take some minutes.
const packageTime = 20 * time.Minute

// leaving is how long a test process that was told to stop may take to go.
const leaving = 20 * time.Second

// runner runs some tests of one package and hands out their events.
type runner func(ctx context.Context, tests Tests, take func(event)) error

// goTest runs tests with `go test` in the module's folder. They run now, whatever a cache may hold.
// The command and all it starts are a group of their own: when the context ends, the group is
// interrupted, and what has not gone after a while is killed. The tests' servers end with their
// test process, however that ends.
func goTest(dir string) runner {
	return func(ctx context.Context, tests Tests, take func(event)) error {
		cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-p=1", "-timeout="+packageTime.String(),
			"-run=^("+strings.Join(tests.Names, "|")+")$", "./"+tests.Package)
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
		cmd.WaitDelay = leaving
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		events, printed := io.Pipe()
		cmd.Stdout = printed
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("starting go test: %w", err)
		}
		ended := make(chan error, 1)
		go func() {
			err := cmd.Wait()
			_ = printed.Close() // A pipe in memory closes without an error.
			ended <- err
		}()
		reading := readEvents(events, tests.Package, take)
		err := <-ended
		for line := range strings.Lines(complaints.String()) {
			take(event{Action: "output", Package: tests.Package, Output: line})
		}
		if ctx.Err() != nil {
			// What is left of the group has had its time; mostly nothing is.
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		return errors.Join(reading, err)
	}
}
