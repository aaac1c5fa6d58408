package testenv

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ProcessOptions says what to start.
type ProcessOptions struct {
	// Path is the program.
	Path string
	// Args are its arguments, without the program's own name.
	Args []string
	// Env is added to the environment, which otherwise holds only PATH and a HOME of the test's own:
	// a developer's keys and settings do not reach a test.
	Env []string
	// Dir is the working directory; empty means a folder of the test's own.
	Dir string
	// Stdin is what the process reads; empty means nothing.
	Stdin string
}

// Process is a real process that one test owns; it is gone when the test has ended.
type Process struct {
	t     testing.TB
	child *child
}

// StartProcess starts a process.
func StartProcess(t testing.TB, options ProcessOptions) *Process {
	t.Helper()
	cmd := exec.Command(options.Path, options.Args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"TMPDIR=" + os.TempDir(),
	}, options.Env...)
	cmd.Dir = options.Dir
	if cmd.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	if options.Stdin != "" {
		cmd.Stdin = strings.NewReader(options.Stdin)
	}
	c, err := startChild(cmd, "KILL")
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{t: t, child: c}
	t.Cleanup(func() {
		if err := c.end(syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	})
	return p
}

// PID returns the process ID.
func (p *Process) PID() int { return p.child.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.child.done }

// Stdout returns what the process has written to its standard output so far.
func (p *Process) Stdout() string { return p.child.stdout.String() }

// Stderr returns what the process has written to its standard error so far.
func (p *Process) Stderr() string { return p.child.stderr.String() }

// Output returns both, as they came.
func (p *Process) Output() string { return p.child.combined.String() }

// WaitForLine waits until a line of the output matches and returns its submatches. The test fails
// when the time is over, or when the process ends without that line.
func (p *Process) WaitForLine(pattern *regexp.Regexp, within time.Duration) []string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), within)
	defer cancel()
	match, err := p.child.waitForLine(ctx, pattern)
	if err != nil {
		p.t.Fatalf("no line matches %q: %v; the output of %s:\n%s", pattern, err, p.child.cmd.Path, p.Output())
	}
	return match
}

// Signal sends a signal to the process alone, unless it has ended.
func (p *Process) Signal(signal syscall.Signal) {
	p.t.Helper()
	if err := p.child.send(signal); err != nil {
		p.t.Fatal(err)
	}
}

// Kill9 kills the process as `kill -9` does and waits until it is gone. Its children live on until
// the end of the test, as they would after a crash.
func (p *Process) Kill9() {
	p.t.Helper()
	p.Signal(syscall.SIGKILL)
	p.Wait(stopTime)
}

// Stop asks the process to end (SIGTERM), waits for it and returns its exit code.
func (p *Process) Stop() int {
	p.t.Helper()
	p.Signal(syscall.SIGTERM)
	return p.Wait(stopTime)
}

// Wait waits for the process to end and returns its exit code, -1 when a signal ended it.
func (p *Process) Wait(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.child.done:
		return p.child.cmd.ProcessState.ExitCode()
	case <-time.After(within):
		p.t.Fatalf("process %d (%s) did not end within %s; its output:\n%s",
			p.PID(), p.child.cmd.Path, within, p.Output())
		return -1
	}
}

// Run starts a process, waits for it and returns it with its exit code.
func Run(t testing.TB, within time.Duration, options ProcessOptions) (*Process, int) {
	t.Helper()
	p := StartProcess(t, options)
	return p, p.Wait(within)
}
