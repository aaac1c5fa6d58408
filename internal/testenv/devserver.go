package testenv

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/deploy"
)

// temporalInstall is the next step where the Temporal CLI is missing.
const temporalInstall = "no temporal CLI found in PATH or .bin; run: make tools"

// devServerStart is how long a server may take to answer; it takes about a second on an idle machine.
const devServerStart = 60 * time.Second

// devServer is a Temporal development server, started with the arguments that `tutti dev` uses. The
// SDK's own testsuite.StartDevServer keeps its process to itself, and nothing could then end the
// server after a test process that was killed.
type devServer struct {
	cli    string
	args   []string
	port   int
	keeper *guard
	home   string
	server *child
}

// newDevServer starts a server that keeps its state in the file, or in memory when that is empty.
func newDevServer(dbFile string) (*devServer, error) {
	cli, err := temporalCLI()
	if err != nil {
		return nil, err
	}
	config, err := deploy.DevServer()
	if err != nil {
		return nil, fmt.Errorf("reading how to start Temporal: %w", err)
	}
	s := &devServer{cli: cli}
	if s.port, err = FreePort(); err != nil {
		return nil, err
	}
	// The CLI notes a cluster ID in its home; a test leaves the developer's alone.
	if s.home, err = os.MkdirTemp("", "tutti-temporal-"); err != nil {
		return nil, fmt.Errorf("making a folder for Temporal: %w", err)
	}
	if s.keeper, err = startGuard(0, "", s.home); err != nil {
		return nil, err
	}
	s.args = config.Args(deploy.DevServerOptions{Port: s.port, Headless: true, DBFile: dbFile})
	return s, s.start()
}

// address is the frontend's host and port.
func (s *devServer) address() string {
	return net.JoinHostPort(loopback, strconv.Itoa(s.port))
}

// start starts the server and waits until its default namespace answers.
func (s *devServer) start() error {
	cmd := exec.Command(s.cli, s.args...)
	cmd.Dir = s.home
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home}
	var err error
	if s.server, err = startChild(cmd, "KILL"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), devServerStart)
	defer cancel()
	err = await(ctx, func() error {
		if err := s.server.ended(); err != nil {
			cancel() // it will not come any more
			return err
		}
		return probe(ctx, s.address())
	})
	if err != nil {
		return errors.Join(fmt.Errorf("starting Temporal: %w", err), s.stop(syscall.SIGKILL))
	}
	return nil
}

// stop ends the server with the signal: SIGTERM in order, SIGKILL as a crash.
func (s *devServer) stop(signal syscall.Signal) error {
	if s.server == nil {
		return nil
	}
	server := s.server
	s.server = nil
	return server.end(signal)
}

// remove ends the server and removes its folder. What it held in memory is of no use to anyone any
// more, so it need not go in order.
func (s *devServer) remove() error {
	return errors.Join(s.stop(syscall.SIGKILL), s.keeper.release())
}

// probe looks whether the server answers for a namespace, which is later than its port is open.
func probe(ctx context.Context, address string) error {
	c, err := client.DialContext(ctx, client.Options{HostPort: address, Logger: quiet{}})
	if err != nil {
		return fmt.Errorf("dialling Temporal: %w", err)
	}
	defer c.Close()
	return visible(ctx, c, client.DefaultNamespace)
}

// temporalCLI returns the CLI on the PATH, else the one that `make tools` has built.
func temporalCLI() (string, error) {
	if path, err := exec.LookPath("temporal"); err == nil {
		return path, nil
	}
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, ".bin", "temporal")
	if _, err := os.Stat(path); err != nil {
		return "", errors.New(temporalInstall)
	}
	return path, nil
}
