package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tutti-dev/tutti/internal/app"
)

// Options are what a server is made of.
type Options struct {
	App *app.App
	// Lookup reads the environment, in which some hosts name their session.
	Lookup  func(name string) (string, bool)
	Version string
	// Log is for the operator; nil is silent. Standard output is the protocol's.
	Log *slog.Logger
}

// Server answers hosts. It holds a connection and nothing of any run.
type Server struct {
	app    *app.App
	lookup func(string) (string, bool)
	log    *slog.Logger
	gate   *gate
	sdk    *sdk.Server
	// calls counts what is being answered, so that no start is cut off at the end.
	calls sync.WaitGroup
}

// New returns a server that has connected to nothing yet.
func New(o Options) *Server {
	if o.Lookup == nil {
		o.Lookup = func(string) (string, bool) { return "", false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{app: o.App, lookup: o.Lookup, log: o.Log, gate: newGate()}
	s.sdk = sdk.NewServer(
		&sdk.Implementation{Name: "tutti", Title: "tutti", Version: o.Version},
		&sdk.ServerOptions{Instructions: instructions, Logger: o.Log, Capabilities: &sdk.ServerCapabilities{}},
	)
	for _, t := range tools() {
		s.sdk.AddTool(t.declaration(), s.handler(t))
	}
	s.addPrompts()
	s.addResources()
	return s
}

// Serve answers one host until it closes the connection or the context ends, and
// then waits for the calls that it had begun.
func (s *Server) Serve(ctx context.Context, transport sdk.Transport) error {
	err := s.sdk.Run(ctx, transport)
	s.calls.Wait()
	if err == nil || ctx.Err() != nil || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return fmt.Errorf("serve MCP: %w", err)
}

// ServeStreams is Serve on a pair of streams, one message a line.
func (s *Server) ServeStreams(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.Serve(ctx, lingering{&sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}})
}

// unclosed is a stream that whoever opened it closes.
type unclosed struct{ io.Writer }

// Close leaves the stream open.
func (unclosed) Close() error { return nil }

// The limits of a call.
const (
	// callLimit ends whatever a call still does. A host's own limit may be 30 s.
	callLimit = 24 * time.Second
	// waitLimit is how long after its beginning a call may wait for a prompt.
	waitLimit = 20 * time.Second
	// startLimit bounds a start or a cancellation, which outlives its caller.
	startLimit = 10 * time.Second
	// submitLimit bounds connecting, 10 seconds without a verdict, and the signal
	// that is sent then.
	submitLimit = 18 * time.Second
	// projectLimit bounds bringing a run into the mirror.
	projectLimit = 2 * time.Second
)

// detached is a context that the caller's end does not touch.
func detached(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// project brings a run into the mirror, if that can be done at once.
func (s *Server) project(ctx context.Context, runID string) {
	ctx, cancel := detached(ctx, projectLimit)
	defer cancel()
	s.app.Project(ctx, runID)
}
