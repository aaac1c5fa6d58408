// Package store is the port of the mirror: the copy of run records that lists
// and dashboards read.
//
// The mirror is disposable. Temporal's histories are the truth; the projector
// folds them and saves the result here, and `tutti projection rebuild` brings a
// dropped mirror back equal. Kept data (contents, answers, attempts) is not
// disposable and has its own small ports in internal/content and
// internal/ledger; one adapter implements all of them.
//
// Every key and every filter begins with the tenant. The port takes records and
// events, never a Temporal type.
package store
