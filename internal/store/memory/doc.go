// Package memory keeps the mirror and the kept data in this process and nowhere
// else: for evaluation without a network, and for tests.
//
// It behaves as the other adapters do, with two gaps, which the suite's table
// of capabilities declares: nothing outlives the process, and no other process
// sees it.
package memory
