package provider

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// The dialects that tutti speaks.
const (
	DialectOpenAI    = "openai"
	DialectAnthropic = "anthropic"
	DialectDemo      = "demo"
)

// ByDialect is a Caller that hands each call to the adapter of the endpoint's
// dialect, with the endpoint's defaults filled in. A dialect without an adapter is a bad request, found out before
// anything is sent.
type ByDialect map[string]Caller

// Call implements Caller.
func (d ByDialect) Call(ctx context.Context, ep Endpoint, req Request) (Outcome, error) {
	caller, ok := d[ep.Dialect]
	if !ok {
		return NotSent("unknown_dialect"), nil
	}
	return caller.Call(ctx, ep, ep.Defaults.Fill(req))
}

// Checker finds out cheaply whether an endpoint answers and takes its credential,
// without asking a model. The outcome has no text. The error is as for Caller.
type Checker interface {
	Check(ctx context.Context, ep Endpoint) (Outcome, error)
}

// Check implements Checker, for the dialects whose adapter does.
func (d ByDialect) Check(ctx context.Context, ep Endpoint) (Outcome, error) {
	checker, ok := d[ep.Dialect].(Checker)
	if !ok {
		return NotSent("unknown_dialect"), nil
	}
	return checker.Check(ctx, ep)
}

// String lists the dialects, for a message that refuses another one.
func (d ByDialect) String() string {
	return strings.Join(slices.Sorted(maps.Keys(d)), ", ")
}
