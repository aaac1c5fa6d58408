package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lingerLimit is how long after its caller closed the pipe a server still answers
// what it was asked. Then the handlers are cancelled; starts and submissions go on.
const lingerLimit = 5 * time.Second

// lingering is a transport whose end is heard only when what came before it has
// been answered: the SDK drops requests that the end of the stream overtakes, so a
// host that asks and leaves would have started nothing.
type lingering struct{ sdk.Transport }

// Connect implements sdk.Transport.
func (l lingering) Connect(ctx context.Context) (sdk.Connection, error) {
	inner, err := l.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &lingeringConn{Connection: inner, open: make(map[any]struct{}), closed: make(chan struct{})}, nil
}

type lingeringConn struct {
	sdk.Connection

	mu     sync.Mutex
	open   map[any]struct{} // the IDs of calls without an answer
	idle   chan struct{}    // closed when open is empty, while somebody waits
	closed chan struct{}
	once   sync.Once
}

// Read implements sdk.Connection.
func (c *lingeringConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		c.linger(ctx)
		return nil, err
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.mu.Lock()
		c.open[request.ID.Raw()] = struct{}{}
		c.mu.Unlock()
	}
	return message, nil
}

// Write implements sdk.Connection.
func (c *lingeringConn) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if response, ok := message.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, response.ID.Raw())
		if len(c.open) == 0 && c.idle != nil {
			close(c.idle)
			c.idle = nil
		}
		c.mu.Unlock()
	}
	return err
}

// Close implements sdk.Connection.
func (c *lingeringConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// linger waits until every call has its answer.
func (c *lingeringConn) linger(ctx context.Context) {
	c.mu.Lock()
	if len(c.open) == 0 {
		c.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	c.idle = idle
	c.mu.Unlock()
	limit := time.NewTimer(lingerLimit)
	defer limit.Stop()
	select {
	case <-idle:
	case <-c.closed:
	case <-ctx.Done():
	case <-limit.C:
	}
}
