// Package postgres keeps the mirror and the kept data in Postgres, for teams.
//
// Schema tutti is the mirror, which may be dropped and rebuilt; schema
// tutti_kept is data. Both are documented in the catalogue, and the migrations
// are embedded: Migrate applies them, Check compares, and nothing else changes
// a schema.
//
// # Invariants
//
//   - Open connects to nothing, so a worker starts without its database.
//   - A run's whole projection is saved in one transaction of two round trips,
//     under an advisory lock of its own, so that projections of one run queue
//     up and those of different runs do not meet.
//   - While a transaction is open, also that of a single statement, the
//     caller's txscope says so.
//   - Whatever a later try may mend wraps store.ErrUnavailable, and what
//     `tutti migrate` mends wraps store.ErrSchema.
package postgres
