// Package ledger is the port of the kept data of model calls: what was asked,
// what came back, what it used.
//
// A call is one question to a model, numbered within its task. An attempt is
// one HTTP request for a call. Before each request a row is inserted in state
// started; it is closed once, as answered, failed or abandoned. A successor that
// finds it open calls it uncertain, which the attempt itself may still correct. The
// first stored answer of a call is the answer, for every worker, so that no
// stored answer is ever bought again.
//
//	Begin ──▶ started ──▶ answered | failed | abandoned   by the attempt itself
//	                 └──▶ uncertain                        by a successor that finds it open
//	                          └──▶ answered | failed | abandoned   by the attempt itself, if it comes back
//
// An attempt points at the price that it was billed with. Prices are only added
// and are named by their content, so that every cost can be computed again.
//
// Nothing here knows a database; implementations live in internal/store/... and
// pass internal/store/storetest.
package ledger
