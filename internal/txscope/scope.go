// Package txscope lets code that must not run inside a database transaction
// find out whether one is open.
//
// A model call takes seconds to minutes. Made while a transaction is open, it
// would hold row locks and a pooled connection for all that time, and its
// answer would be lost with a rollback although it was paid for. So a store
// marks the scope while a transaction is open, and the provider's doer refuses
// to send.
//
// The scope is a counter that the activity puts into its context once, with
// New. Every context derived from that one, before or after the transaction
// began, shares the counter; so a doer that was handed the outer context sees
// the transaction as well as one that was handed the inner context. Without a
// scope in the context, Enter marks nothing and Open is false.
package txscope

import (
	"context"
	"sync"
	"sync/atomic"
)

type scopeKey struct{}

type scope struct{ open atomic.Int64 }

// New returns a context that carries a scope of its own, with nothing open.
func New(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{})
}

// Enter notes that a transaction was opened and returns the function that notes
// its end. That function may be called more than once; only the first counts.
func Enter(ctx context.Context) (leave func()) {
	s, ok := ctx.Value(scopeKey{}).(*scope)
	if !ok {
		return func() {}
	}
	s.open.Add(1)
	var once sync.Once
	return func() { once.Do(func() { s.open.Add(-1) }) }
}

// Open says whether a transaction is open in the context's scope.
func Open(ctx context.Context) bool {
	s, ok := ctx.Value(scopeKey{}).(*scope)
	return ok && s.open.Load() > 0
}
