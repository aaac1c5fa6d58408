package app

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tutti-dev/tutti/deploy"
)

// server is the development server's process.
type server struct {
	address string
	process *exec.Cmd
	exited  chan struct{}
	output  *tail
}

// PlatformError says that something of the platform could not be started.
type PlatformError struct {
	Message, NextStep string
	Err               error
}

// Error implements error.
func (e *PlatformError) Error() string { return e.Message + "; " + e.NextStep }

// Unwrap returns the cause.
func (e *PlatformError) Unwrap() error { return e.Err }

func (a *App) startServer(cfg deploy.Config, o deploy.DevServerOptions, address string) (*server, error) {
	if err := free(address); err != nil {
		return nil, &PlatformError{
			Message:  "the address " + address + " is in use",
			NextStep: "stop what runs there, give --port and --ui-port, or use it with `tutti worker`", Err: err,
		}
	}
	binary, err := a.TemporalCLI()
	if err != nil {
		return nil, &PlatformError{
			Message: "there is no `temporal` command", NextStep: "install it: " + cfg.InstallCommand(), Err: err,
		}
	}
	if err := os.MkdirAll(a.Config.DataDir, 0o700); err != nil {
		return nil, &ConfigError{Err: fmt.Errorf("the data directory cannot be made: %w", err)}
	}
	s := &server{address: address, exited: make(chan struct{}), output: &tail{}}
	s.process = exec.Command(binary, cfg.Args(o)...) //nolint:gosec // the user's own temporal
	s.process.Env = a.env.Environ
	s.process.Stdout, s.process.Stderr = s.output, s.output
	// A group of its own: Ctrl-C in a terminal goes to us alone, and we stop the
	// server after the worker.
	s.process.SysProcAttr = ownGroup()
	if err := startTied(s.process, s.exited); err != nil {
		return nil, &PlatformError{Message: "the Temporal development server did not start", NextStep: "try `" + binary + " server start-dev`", Err: err}
	}
	return s, nil
}

func free(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// stop ends the server in order, and by force when it takes too long.
func (s *server) stop() {
	_ = s.process.Process.Signal(syscall.SIGTERM) // It may have ended by itself.
	select {
	case <-s.exited:
	case <-time.After(serverStopTimeout):
		_ = s.process.Process.Kill()
		<-s.exited
	}
}

// explain adds what the server said last to an error about it.
func (s *server) explain(err error) error {
	said := s.output.last()
	if said == "" {
		said = "it said nothing"
	}
	return &PlatformError{
		Message:  oneSentence(err) + " (" + said + ")",
		NextStep: "check the port and the data directory, then start `tutti dev` again", Err: errors.Join(errServerGone, err),
	}
}

func oneSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// tail keeps the last output of a process.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - tailSize; extra > 0 {
		t.buf = t.buf[extra:]
	}
	return len(p), nil
}

// last returns the last line that is not empty.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.buf), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
