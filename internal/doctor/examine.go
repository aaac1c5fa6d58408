package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/config"
)

// Subject is what is examined. Every port must be there.
type Subject struct {
	Config config.Config
	// ConfigError is what is wrong with the configuration as a whole, if anything.
	ConfigError error
	// Environ lists the variables as NAME=value; only names are looked at.
	Environ []string

	DataDir     DataDir
	Store       Store
	Temporal    Temporal
	Attributes  Attributes
	Queue       Queue
	Runs        Runs
	Deployments Deployments
	Hosts       Hosts
	MCP         MCP
	Providers   Providers
	Specialists Library
	Chains      Library

	// Now is the time that ages are counted from.
	Now time.Time
}

// Options say how to examine.
type Options struct {
	// Fix does what is safe to do.
	Fix bool
	// Timeout bounds each check; zero means 15 s.
	Timeout time.Duration
	// Now is the time that ages are counted from; zero leaves it to the subject.
	Now time.Time
}

// defaultTimeout leaves a store and a Temporal the 5 s in which they are tried.
const defaultTimeout = 15 * time.Second

// Examine runs every check. The error is the context's own: a report that was
// broken off would say that things are wrong which were not looked at.
func Examine(ctx context.Context, s Subject, o Options) (Report, error) {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if !o.Now.IsZero() {
		s.Now = o.Now
	}
	e := examination{subject: s, fix: o.Fix}
	var report Report
	for _, check := range []func(context.Context) []Finding{
		e.configuration, e.dataDir, e.store, e.platform, e.mcp, e.providers, e.definitions,
	} {
		checking, cancel := context.WithTimeout(ctx, o.Timeout)
		report.Findings = append(report.Findings, check(checking)...)
		cancel()
		if err := ctx.Err(); err != nil {
			return Report{}, fmt.Errorf("the examination was broken off: %w", err)
		}
	}
	return report, nil
}

// examination is one pass over a subject. Its methods are the checks.
type examination struct {
	subject Subject
	fix     bool
}
