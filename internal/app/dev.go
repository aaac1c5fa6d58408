package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/deploy"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/workflows"
)

// DevOptions are what `tutti dev` may be told.
type DevOptions struct {
	Port, UIPort int
	// Say prints one line for the user.
	Say func(format string, args ...any)
}

// startTimeout bounds how long the development server may take to answer.
const startTimeout = 60 * time.Second

// serverStopTimeout bounds how long it may take to stop in order.
const serverStopTimeout = 10 * time.Second

// Dev starts a Temporal development server and a worker, and stops both when the
// context ends: first the worker, so that its last words are heard.
func (a *App) Dev(ctx context.Context, o DevOptions) error {
	cfg, err := deploy.DevServer()
	if err != nil {
		return err
	}
	options := deploy.DevServerOptions{
		Port: orElse(o.Port, cfg.Port), UIPort: orElse(o.UIPort, cfg.UIPort),
		DBFile: filepath.Join(a.Config.DataDir, "temporal.db"),
	}
	address := net.JoinHostPort(cfg.IP, strconv.Itoa(options.Port))
	server, err := a.startServer(cfg, options, address)
	if err != nil {
		return err
	}
	defer server.stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		<-server.exited
		cancel(errServerGone)
	}()
	a.useServer(address)
	if err := waitForServer(ctx, address); err != nil {
		return server.explain(err)
	}
	ui := net.JoinHostPort(cfg.IP, strconv.Itoa(options.UIPort))
	defer a.recordUI(options.Port, ui)()
	o.Say("Temporal   %s, data in %s", address, options.DBFile)
	o.Say("Web UI     http://%s", ui)
	if err := a.prepareStore(ctx, o.Say); err != nil {
		return err
	}
	// Nobody else deploys to a server of one's own.
	err = a.Worker(ctx, WorkerOptions{Timing: workflows.DevTiming(), MakeCurrent: true, Ready: func(p Polling) {
		o.Say("Worker     %s", p)
		if advice := p.Advice(); advice != "" {
			o.Say("warning: %s", advice)
		}
		o.Say("Ready. In another terminal: tutti submit \"…\". Ctrl-C stops; a second one stops at once.")
	}})
	if errors.Is(context.Cause(ctx), errServerGone) {
		return server.explain(errServerGone)
	}
	return err
}

var errServerGone = errors.New("the Temporal development server has stopped")

// prepareStore brings a database to this binary's schema, saying so: `dev` is
// the one command that may do it unasked.
func (a *App) prepareStore(ctx context.Context, say func(string, ...any)) error {
	migrated, err := a.Migrate(ctx)
	if errors.Is(err, store.ErrSchema) || errors.Is(err, store.ErrSettings) {
		return err
	}
	// Any other error is a store that cannot be had now; opening it says what follows.
	if err == nil && migrated.From != migrated.To {
		say("Store      %s: schema brought from version %d to %d", migrated.Store, migrated.From, migrated.To)
	}
	_, choice, err := a.Store(ctx)
	if err != nil {
		return err
	}
	say("Store      %s", choice.Name)
	if choice.Warning != "" {
		say("warning: %s", choice.Warning)
	}
	return nil
}

// useServer makes this process talk to the development server, whatever the
// environment says about another one.
func (a *App) useServer(address string) {
	lookup := a.env.Lookup
	a.env.Lookup = func(name string) (string, bool) {
		if name == "TEMPORAL_CONFIG_FILE" {
			return os.DevNull, true
		}
		return lookup(name)
	}
	a.env.Environ = []string{"TEMPORAL_ADDRESS=" + address, "TEMPORAL_NAMESPACE=" + client.DefaultNamespace, "TEMPORAL_CONFIG_FILE=" + os.DevNull}
}

func waitForServer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := client.DialContext(ctx, client.Options{HostPort: address, Logger: silent{}})
		if err == nil {
			c.Close()
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the development server at %s does not answer: %w", address, errors.Join(context.Cause(ctx), err))
		case <-tick.C:
		}
	}
}

// TemporalCLI finds the official CLI: on the path, or where `make tools` puts it.
func (a *App) TemporalCLI() (string, error) {
	if path, ok := a.env.Lookup("PATH"); ok {
		for _, dir := range filepath.SplitList(path) {
			if found, err := exec.LookPath(filepath.Join(dir, "temporal")); err == nil && filepath.IsAbs(found) {
				return found, nil
			}
		}
	}
	places := []string{filepath.Join(a.env.WorkDir, ".bin", "temporal")}
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), "temporal"))
	}
	for _, place := range places {
		if found, err := exec.LookPath(place); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no temporal")
}

func orElse(value, otherwise int) int {
	if value == 0 {
		return otherwise
	}
	return value
}
