// Package ledger has only a test's comment.
package ledger
