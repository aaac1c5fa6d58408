package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/runs"
)

// gate lets one call at a time connect to Temporal. Those that waited meanwhile
// share its failure, so that no call waits for several of them.
type gate struct {
	turn     chan struct{}
	failed   error
	failedAt time.Time
}

func newGate() *gate {
	g := &gate{turn: make(chan struct{}, 1)}
	g.turn <- struct{}{}
	return g
}

func (g *gate) pass(ctx context.Context, connect func() (*runs.Client, error)) (*runs.Client, error) {
	came := time.Now()
	select {
	case <-g.turn:
	case <-ctx.Done():
		return nil, fmt.Errorf("connect to Temporal: %w: %w", runs.ErrUnreachable, ctx.Err())
	}
	defer func() { g.turn <- struct{}{} }()
	if g.failed != nil && g.failedAt.After(came) {
		return nil, g.failed
	}
	client, err := connect()
	g.failed, g.failedAt = err, time.Now()
	return client, err
}

// runs connects on first use. Connecting outlives the caller: the next one needs
// it too.
func (s *Server) runs(ctx context.Context) (*runs.Client, error) {
	return s.gate.pass(ctx, func() (*runs.Client, error) {
		ctx, cancel := detached(ctx, startLimit)
		defer cancel()
		return s.app.Runs(ctx)
	})
}
