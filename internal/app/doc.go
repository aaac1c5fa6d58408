// Package app is the composition root: the only package that sees every adapter.
//
// There are two explicit compositions, and no code path picks one in silence:
//
//   - durable: Temporal, a store, real providers (App, Worker, Dev)
//   - evaluation: the SDK's time-skipping test environment and the memory store,
//     without any network (Evaluate)
//
// An App opens what it is asked for and no more, so that a command that needs no
// database opens none.
package app
