// Package testenv gives tests the real things that tutti runs on: a Postgres, a Temporal server and
// the tutti binary itself, each as a process of its own.
//
// Vocabulary: a shared server serves one test process (one package under `go test`); it starts with
// the first test that asks and every later one gets it too. A private server belongs to one test,
// which may stop and start it. Tests on a shared server are isolated by construction: a Postgres
// test has a database of its own ([Postgres]), a Temporal test a namespace of its own ([Namespace]).
//
// Invariants:
//   - A server never outlives the test process for long, however that ends: with each one runs a
//     guard, a small shell that waits for the end of a pipe that only the test process holds open.
//     The kernel closes that pipe also after SIGKILL, a panic or os.Exit, and the guard then stops
//     the server and removes its files.
//   - Only processes that this package started are signalled, by their own process ID or group.
//   - Nothing is skipped: what is missing fails the test with the command that installs it.
//   - Nothing waits for a length of time: everything waits for a condition, up to a deadline.
//
// No code outside tests imports this package; the architecture test sees to that.
package testenv
