package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// The exit codes. Contracts and `tutti --help` fix their meaning.
const (
	ExitOK            = 0
	ExitNotCompleted  = 1 // completed-with-failures, degraded, cancelled, error; a rejected host result
	ExitUsage         = 2 // what was asked for cannot be
	ExitAwaitsHost    = 3 // waits for a host, or nothing to pick up
	ExitConfiguration = 4 // refused, and refused the same way again
	ExitPlatform      = 5 // unreachable, no worker in time, the wait ended first
)

// errSilent marks a failure that has been said already.
var errSilent = errors.New("said already")

// failure is an error as the user reads it: one line, the next step, the code.
type failure struct {
	code    int
	message string
	next    string
	err     error
}

// Error implements error.
func (f *failure) Error() string {
	if f.next == "" {
		return f.message
	}
	return f.message + "; " + f.next
}

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.err }

// usage refuses what was asked for.
func usage(message, next string) error {
	return &failure{code: ExitUsage, message: message, next: next}
}

// exit ends the command with a code when everything has been said already.
func exit(code int) error {
	if code == ExitOK {
		return nil
	}
	return &failure{code: code, err: errSilent}
}

// report prints an error as one line and returns the exit code.
func (c *command) report(err error) int {
	if err == nil {
		return ExitOK
	}
	f := explain(err)
	if !errors.Is(err, errSilent) {
		fmt.Fprintln(c.process.Stderr, "tutti: "+oneLine(f.Error()))
	}
	return f.code
}

// explain is the one place where an error becomes words and a code.
func explain(err error) *failure {
	var known *failure
	if errors.As(err, &known) {
		return known
	}
	for _, rule := range explanations() {
		if !rule.is(err) {
			continue
		}
		next := rule.next
		if errors.Is(err, store.ErrSchema) {
			next = doctor.SchemaStep(err)
		}
		return &failure{code: rule.code, message: err.Error(), next: next, err: err}
	}
	return &failure{code: ExitNotCompleted, message: err.Error(), err: err}
}

type explanation struct {
	is   func(error) bool
	code int
	next string
}

func explanations() []explanation {
	return []explanation{
		{as[*config.Error](), ExitConfiguration, ""},
		{as[*app.ConfigError](), ExitConfiguration, ""},
		{as[*app.WishError](), ExitUsage, ""},
		{as[*definition.NotFoundError](), ExitUsage, ""},
		{as[*definition.InvalidError](), ExitUsage, ""},
		{as[*provider.UnknownProviderError](), ExitUsage, "see `tutti provider list`"},
		{as[*app.ConnectionError](), ExitPlatform, "start one with `tutti dev`, or set TEMPORAL_ADDRESS"},
		{is(store.ErrSchema), ExitConfiguration, ""},
		{is(store.ErrUnknown), ExitConfiguration, ""},
		{is(store.ErrSettings), ExitConfiguration, "see `tutti doctor`"},
		{is(store.ErrFallbackFile), ExitConfiguration, ""},
		{is(store.ErrCursor), ExitUsage, "start again without --cursor"},
		{is(store.ErrNotFound), ExitUsage, "see `tutti run list`"},
		{is(runs.ErrNotFound), ExitUsage, "see `tutti run list`"},
		{is(runs.ErrKeyConflict), ExitUsage, "use another --idempotency-key, or the request that the key belongs to"},
		{is(ledger.ErrSpecialistChanged), ExitConfiguration, "two programs make versions differently: use one version of tutti"},
		{is(runs.ErrUnreachable), ExitPlatform, "see `tutti doctor`"},
		{is(runs.ErrRefused), ExitConfiguration, "set TEMPORAL_NAMESPACE and its credentials; see `tutti doctor`"},
		{is(store.ErrUnavailable), ExitPlatform, "see `tutti doctor`"},
		{is(content.ErrUnavailable), ExitPlatform, "see `tutti doctor`"},
		{is(context.DeadlineExceeded), ExitPlatform, "see `tutti doctor`"},
		{is(context.Canceled), ExitPlatform, ""},
	}
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func as[T error]() func(error) bool {
	return func(err error) bool {
		var target T
		return errors.As(err, &target)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
