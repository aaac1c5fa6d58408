// Package sqlite keeps the mirror and the kept data in one SQLite file, which
// any number of processes of one machine use at once.
//
// # Invariants
//
//   - WAL, synchronous FULL: what was saved survives the end of the process and
//     of the machine.
//   - Every writing transaction begins IMMEDIATE and waits up to 10 s for its
//     turn, so that none fails in the middle for a lock.
//   - A new file gets the current schema, made by one process while others wait
//     on a lock file beside it. A file with another schema is refused; only
//     Migrate changes it.
//   - While a transaction is open the caller's txscope says so.
package sqlite
