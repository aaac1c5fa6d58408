package app

import (
	"io"
	"log/slog"
	"strings"

	"github.com/tutti-dev/tutti/internal/config"
)

// Env is the process as the composition sees it. The command line fills it in;
// tests give their own.
type Env struct {
	config.Env
	// Environ lists the variables as NAME=value; Temporal's own configuration and
	// child processes read it.
	Environ []string
	Stderr  io.Writer
	Log     *slog.Logger
}

// variables gives the Temporal client configuration the same environment that
// everything else sees.
type variables struct{ env Env }

// Environ implements envconfig.EnvLookup.
func (v variables) Environ() []string { return v.env.Environ }

// LookupEnv implements envconfig.EnvLookup.
func (v variables) LookupEnv(name string) (string, bool) {
	for _, entry := range v.env.Environ {
		if key, value, ok := strings.Cut(entry, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}
