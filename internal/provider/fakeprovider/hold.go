package fakeprovider

import (
	"context"
	"sync"
)

// gate holds the answers of hold models until they are released.
type gate struct {
	mu     sync.Mutex
	all    chan struct{}
	models map[string]chan struct{}
}

func newGate() *gate {
	g := &gate{}
	g.reset()
	return g
}

// reset holds everything again. Calls that wait go on waiting for the channels
// that they have, so those are let go.
func (g *gate) reset() {
	g.release("")
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all = make(chan struct{})
	g.models = map[string]chan struct{}{}
}

func (g *gate) channels(model string) (all, one chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.models[model] == nil {
		g.models[model] = make(chan struct{})
	}
	return g.all, g.models[model]
}

// wait returns when the model was released, false when the client went away.
func (g *gate) wait(ctx context.Context, model string) bool {
	all, one := g.channels(model)
	select {
	case <-all:
	case <-one:
	case <-ctx.Done():
		return false
	}
	return true
}

// release lets go a model, or all when it is empty.
func (g *gate) release(model string) {
	all, one := chan struct{}(nil), chan struct{}(nil)
	if model == "" {
		g.mu.Lock()
		all = g.all
		g.mu.Unlock()
	} else {
		_, one = g.channels(model)
	}
	for _, c := range []chan struct{}{all, one} {
		closeOnce(&g.mu, c)
	}
}

func closeOnce(mu *sync.Mutex, c chan struct{}) {
	if c == nil {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	select {
	case <-c:
	default:
		close(c)
	}
}
