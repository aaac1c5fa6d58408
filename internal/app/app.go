package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// ConfigError says that the configuration was refused; it will be refused the
// same way again.
type ConfigError struct{ Err error }

// Error implements error.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// App is the durable composition of one process.
type App struct {
	env    Env
	Config config.Config

	// connecting and opening guard what is made on first use: the MCP server's
	// calls come side by side.
	connecting, opening sync.Mutex

	temporal  client.Client
	namespace string
	runs      *runs.Client
	store     store.Store
	choice    store.Choice
}

// New returns an app that has opened nothing yet.
func New(env Env, c config.Config) *App {
	if env.Log == nil {
		env.Log = slog.New(slog.DiscardHandler)
	}
	return &App{env: env, Config: c}
}

// Close closes what was opened.
func (a *App) Close() {
	if a.temporal != nil {
		a.temporal.Close()
	}
	if a.store != nil {
		if err := a.store.Close(); err != nil {
			a.env.Log.Debug("the store did not close", "error", err)
		}
	}
}

// Converter is the data converter of worker and readers alike.
func (a *App) Converter() converter.DataConverter { return converter.GetDefaultDataConverter() }

// Temporal connects on first use.
func (a *App) Temporal(ctx context.Context) (client.Client, string, error) {
	a.connecting.Lock()
	defer a.connecting.Unlock()
	return a.connect(ctx)
}

func (a *App) connect(ctx context.Context) (client.Client, string, error) {
	if a.temporal == nil {
		c, options, err := a.dial(ctx)
		if err != nil {
			return nil, "", err
		}
		a.temporal, a.namespace = c, options.Namespace
	}
	return a.temporal, a.namespace, nil
}

// Runs connects on first use.
func (a *App) Runs(ctx context.Context) (*runs.Client, error) {
	a.connecting.Lock()
	defer a.connecting.Unlock()
	if a.runs == nil {
		c, namespace, err := a.connect(ctx)
		if err != nil {
			return nil, err
		}
		a.runs = a.runsOf(c, namespace)
	}
	return a.runs, nil
}

func (a *App) runsOf(c client.Client, namespace string) *runs.Client {
	return runs.New(c, runs.Options{Namespace: namespace, TaskQueue: a.Config.TaskQueue, Converter: a.Converter(), Archive: archive{a}})
}

// Store opens the chosen store on first use. The choice says which one it is and
// whether it stands in for another.
func (a *App) Store(ctx context.Context) (store.Store, store.Choice, error) {
	a.opening.Lock()
	defer a.opening.Unlock()
	if a.store == nil {
		s, choice, err := a.openStore(ctx, time.Now())
		if err != nil {
			return nil, choice, err
		}
		a.store, a.choice = s, choice
	}
	return a.store, a.choice, nil
}
