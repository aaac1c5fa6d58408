// Package certificate runs the project's proofs and says what they showed. It is what `make certify`
// runs; it is no part of the product.
//
// Vocabulary: a scenario is one thing that must hold (a worker is killed, ten hosts race), with a
// number, what is done and what is expected. It is proved by tests that stand elsewhere in the
// project, named by package and top-level test: nothing is tested here. A test records what it saw
// ([testenv.Seen]), and `go test -json` reports that as an attribute. A row is a scenario with its
// verdict; the certificate is all rows, as a table for people and as JSON for programs.
//
// Shape: [Select] takes scenarios from the tables in crashes.go, hosts.go and promises.go; the runner
// starts one `go test -json` for each package, so that a package's tests share their servers; the
// collector reads the stream of events; judge decides; the table and the report say it.
//
// Invariants:
//   - A scenario passes only when each of its tests ran and passed, nothing in them was skipped, its
//     package ended well and something was seen. What did not run is never a pass.
//   - Nothing comes from a cache: every test runs now.
//   - Every scenario has a row, also one whose test is not written yet: it is not run, and the
//     certificate is not given.
package certificate
