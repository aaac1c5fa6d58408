// Package content has a comment.
package content
