package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds every round trip. A network that drops what is sent without a
// word would else hold a caller until the kernel gives the connection up, which
// takes a quarter of an hour, and with it the one loop that projects. pgx hands
// each operation to its tracer first and goes on with the context that it gets back.
type patience struct{ limit time.Duration }

var (
	_ pgx.QueryTracer = patience{}
	_ pgx.BatchTracer = patience{}
)

// inBulk is how many times longer a read or a removal of everything may take.
const inBulk = 30

type bulkKey struct{}

type cancelKey struct{}

// bulk marks an operation that goes over a whole table.
func bulk(ctx context.Context) context.Context { return context.WithValue(ctx, bulkKey{}, true) }

func (p patience) begin(ctx context.Context) context.Context {
	limit := p.limit
	if ctx.Value(bulkKey{}) != nil {
		limit *= inBulk
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	return context.WithValue(bounded, cancelKey{}, cancel)
}

func (p patience) end(ctx context.Context) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// TraceQueryStart implements pgx.QueryTracer.
func (p patience) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return p.begin(ctx)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (p patience) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	p.end(ctx)
}

// TraceBatchStart implements pgx.BatchTracer.
func (p patience) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return p.begin(ctx)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (patience) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (p patience) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
	p.end(ctx)
}
