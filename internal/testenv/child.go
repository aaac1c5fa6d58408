package testenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"
)

// stopTime is how long a process gets to end after it was asked to.
const stopTime = 60 * time.Second

// child is a running process with its output and its guard. It knows no test, so that a shared
// server can outlive the test that started it.
type child struct {
	cmd      *exec.Cmd
	guard    *guard
	combined *Output
	stdout   *Output
	stderr   *Output
	done     chan struct{} // closed when the process has ended and its output is complete
}

// startChild starts the command in a process group of its own, guarded: when the test process is
// gone the group gets the signal.
func startChild(cmd *exec.Cmd, signal string) (*child, error) {
	c := &child{
		cmd: cmd, combined: newOutput(), stdout: newOutput(), stderr: newOutput(),
		done: make(chan struct{}),
	}
	cmd.Stdout = tee{c.stdout, c.combined}
	cmd.Stderr = tee{c.stderr, c.combined}
	// A grandchild that lives on keeps the pipes open; its parent's end is what counts here.
	cmd.WaitDelay = 2 * time.Second
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	go func() {
		defer close(c.done)
		_ = cmd.Wait() // how it ended stands in cmd.ProcessState
	}()

	var err error
	if c.guard, err = startGuard(cmd.Process.Pid, signal, ""); err != nil {
		return nil, errors.Join(err, c.end(syscall.SIGKILL))
	}
	return c, nil
}

// end sends the signal, waits for the process and ends its guard. A process that does not go in
// time is killed, and that is an error. Whatever it left in its group is killed too.
func (c *child) end(signal syscall.Signal) error {
	if err := c.send(signal); err != nil {
		return err
	}
	var late error
	select {
	case <-c.done:
	case <-time.After(stopTime):
		late = fmt.Errorf("%s did not end within %s of %s", c.cmd.Path, stopTime, signal)
		_ = c.cmd.Process.Kill()
		<-c.done
	}
	return errors.Join(late, c.dismiss())
}

// dismiss ends the guard and what an ended process left in its group.
func (c *child) dismiss() error {
	if c.guard == nil {
		return nil
	}
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	g := c.guard
	c.guard = nil
	return g.release()
}

// send signals the process, unless it has ended.
func (c *child) send(signal syscall.Signal) error {
	select {
	case <-c.done:
		return nil
	default:
	}
	if err := c.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("sending %s to process %d: %w", signal, c.cmd.Process.Pid, err)
	}
	return nil
}

// ended says whether the process has ended, as an error that quotes its output.
func (c *child) ended() error {
	select {
	case <-c.done:
		return fmt.Errorf("%s ended with %s:\n%s", c.cmd.Path, c.cmd.ProcessState, c.combined)
	default:
		return nil
	}
}

// tee writes to both outputs; neither ever fails.
type tee [2]*Output

// Write adds to both outputs.
func (t tee) Write(p []byte) (int, error) {
	for _, output := range t {
		if n, err := output.Write(p); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// waitForLine returns the submatches of the first line that matches. A process that has ended has
// written its last line, so the output is looked at once more before giving up.
func (c *child) waitForLine(ctx context.Context, pattern *regexp.Regexp) ([]string, error) {
	for {
		match, changed := c.combined.find(pattern)
		if match != nil {
			return match, nil
		}
		select {
		case <-changed:
		case <-c.done:
			if match, _ := c.combined.find(pattern); match != nil {
				return match, nil
			}
			return nil, fmt.Errorf("the process ended with %s", c.cmd.ProcessState)
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for a line: %w", ctx.Err())
		}
	}
}
