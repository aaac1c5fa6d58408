package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/anthropic"
	"github.com/tutti-dev/tutti/internal/provider/demo"
	"github.com/tutti-dev/tutti/internal/provider/openai"
	"github.com/tutti-dev/tutti/internal/run"
)

// Check refuses a configuration that can be seen to be wrong without any call.
func (a *App) Check() error {
	if demo, ok := a.Config.Providers["demo"]; ok && (demo.BaseURL != "" || demo.Dialect != "") {
		return &ConfigError{Err: errors.New("provider demo is built in and calls nobody: remove its dialect and baseURL, or give the provider another name")}
	}
	var names []string
	for _, d := range provider.Builtins() {
		names = append(names, d.Name)
	}
	return a.Config.CheckProviders(names)
}

// Providers returns the definitions by name: the built-in ones, with what is
// configured laid over them, and the configured ones.
func (a *App) Providers() map[string]provider.Definition {
	definitions := make(map[string]provider.Definition)
	for _, d := range provider.Builtins() {
		definitions[d.Name] = a.overlay(d, a.Config.Provider(d.Name))
	}
	for name := range a.Config.Providers {
		if _, builtin := definitions[name]; !builtin {
			definitions[name] = a.overlay(provider.Definition{Name: name}, a.Config.Provider(name))
		}
	}
	return definitions
}

func (a *App) overlay(d provider.Definition, c config.Provider) provider.Definition {
	d.Timeout = c.Timeout
	d.Defaults = provider.Defaults{Temperature: c.Temperature, Extras: c.Extras}
	if c.Dialect != "" {
		d.Dialect = c.Dialect
	}
	if c.BaseURL != "" {
		d.BaseURL, d.BaseURLEnv = c.BaseURL, nil
	}
	if c.APIKeyEnv != "" || c.KeyFile != "" || c.KeyCommand != "" {
		d.Key = provider.KeySource{Env: c.APIKeyEnv, File: c.KeyFile, Command: c.KeyCommand}
	}
	return d
}

// presence is what the resolution of models needs to know of providers.
func (a *App) presence(ctx context.Context) provider.Known {
	known := provider.Known{Providers: make(map[string]provider.Presence), Aliases: a.Config.Models}
	for name, d := range a.Providers() {
		// Only a variable is looked at: a key command may cost time or ask somebody.
		hasKey := true
		if d.Key.Env != "" {
			_, err := d.Key.Resolve(ctx, name, a.env.Lookup)
			hasKey = err == nil
		}
		known.Providers[name] = provider.Presence{HasKey: hasKey}
	}
	return known
}

// caller is every dialect over one doer, so that all calls share its connections.
func caller() provider.ByDialect {
	doer := provider.NewDoer(provider.NewTransport(provider.TransportOptions{Concurrency: concurrentCalls}))
	return provider.ByDialect{
		provider.DialectOpenAI:    openai.New(doer),
		provider.DialectAnthropic: anthropic.New(doer),
		provider.DialectDemo:      demo.New(),
	}
}

// endpoints resolves providers inside the activity.
type endpoints struct {
	definitions map[string]provider.Definition
	lookup      provider.Lookup
}

// Endpoint implements activities.Endpoints.
func (e endpoints) Endpoint(ctx context.Context, name string) (activities.Resolved, error) {
	d, ok := e.definitions[name]
	if !ok {
		err := &provider.UnknownProviderError{Name: name, Known: slices.Sorted(maps.Keys(e.definitions))}
		return activities.Resolved{}, refusal(err, err.Code(), err.Remediation())
	}
	key, err := d.Key.Resolve(ctx, name, e.lookup)
	var missing *provider.KeyMissingError
	if errors.As(err, &missing) {
		return activities.Resolved{}, refusal(missing, missing.Code(), missing.Remediation())
	}
	if err != nil {
		return activities.Resolved{}, fmt.Errorf("read the key of %s: %w", name, err)
	}
	endpoint, err := d.Endpoint(e.lookup, key)
	if err != nil {
		return activities.Resolved{}, refusal(err, string(run.CodeModelUnresolved), "correct it where the worker runs")
	}
	return activities.Resolved{Endpoint: endpoint, KeySource: d.Key.Describe()}, nil
}

func refusal(err error, code, remediation string) error {
	return &activities.Refusal{Code: run.Code(code), Message: err.Error(), Remediation: remediation, Cause: err}
}
