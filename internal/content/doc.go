// Package content is the text type that travels through a run, and the port of
// the store that holds what is too large to travel.
//
// A text is named by the SHA-256 of its bytes. Up to InlineLimit it stands in
// the payload itself; above that the payload carries digest and size, and the
// bytes are kept once per tenant in a Store. Nothing here knows Temporal or a
// database; the package is a leaf, so that the domain may use it.
package content
