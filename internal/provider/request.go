package provider

import (
	"context"
	"time"
)

// What becomes of a model's reasoning.
const (
	// ReasoningHidden drops it; this is the default.
	ReasoningHidden = "hidden"
	// ReasoningSurface hands it out in Outcome.Reasoning.
	ReasoningSurface = "surface"
)

// Request is one question to a model, the same for every dialect. The zero
// value of an optional member means that nothing is sent for it.
type Request struct {
	// Provider names the endpoint's provider; it appears in messages only.
	Provider string
	// Model is the name to send, already resolved.
	Model string
	// System and User are the two messages of the prompt. An empty System sends
	// no system message.
	System, User string
	// MaxTokens is the ceiling of the visible output. A dialect that demands one
	// has a default.
	MaxTokens int
	// Temperature is sent as given, an explicit 0 too.
	Temperature *float64
	// Effort asks for reasoning: low, medium or high, or what the provider names.
	// The output ceiling gets headroom for it.
	Effort string
	// Reasoning is ReasoningHidden (or empty) or ReasoningSurface.
	Reasoning string
	// Extras are members that a vendor understands, merged into the body as they
	// are. They cannot replace model, messages, system or stream.
	Extras map[string]any
}

// Surfaces says whether reasoning text may be kept.
func (r Request) Surfaces() bool { return r.Reasoning == ReasoningSurface }

// Endpoint is where a request goes.
type Endpoint struct {
	// Name is the provider's name in configuration and messages.
	Name string
	// Dialect is openai, anthropic or demo.
	Dialect string
	// BaseURL may have a path and a query; the dialect appends its own path.
	BaseURL string
	// APIKey may be empty: then no credential is sent.
	APIKey string
	// Headers are sent besides the dialect's own and win over them.
	Headers map[string]string
	// Defaults fill in what a request leaves open.
	Defaults Defaults
	// Timeout bounds one attempt, from the first byte sent to the last byte read.
	// Zero means DefaultTimeout.
	Timeout time.Duration
}

// Defaults and bounds of one attempt.
const (
	DefaultTimeout = 120 * time.Second
	// DefaultMaxTokens is used where a dialect demands a ceiling and none is given.
	DefaultMaxTokens = 8192
	// ReasoningHeadroom is added to the output ceiling when reasoning is asked for.
	ReasoningHeadroom = 16384
)

// Deadline is the endpoint's timeout with the default applied.
func (e Endpoint) Deadline() time.Duration {
	if e.Timeout > 0 {
		return e.Timeout
	}
	return DefaultTimeout
}

// Caller asks a model once.
//
// The error is only one of these: the context's own error when the caller
// cancelled, or ErrTransactionOpen. Whatever the provider or the network did is
// in the Outcome. An answer that was already whole when the cancellation came is
// returned as an Outcome, because it has been paid for.
type Caller interface {
	Call(ctx context.Context, ep Endpoint, req Request) (Outcome, error)
}
