// Package price knows what models cost: the list prices that come with the
// binary, and those that the user writes down.
//
// Vocabulary. A Book holds entries; an entry is a provider, a model and its
// prices per million tokens. The model is a name, or the beginning of names with
// a star at its end. Books come in order of precedence (the working directory's
// .tutti/prices.yaml, prices.yaml in the user's configuration directory, the
// built-in file), and the first that knows a model decides; within one, an exact
// name comes before a beginning, and a longer beginning before a shorter one.
//
// Invariants. A price that is handed out is exact, complete and named by its
// content: <provider>/<model>@<first 12 hex of the SHA-256 of its canonical
// JSON>. So two processes with equal files pin equal prices, a changed figure is
// another price, and nobody overwrites what an earlier call was billed with.
// A model without an entry has no price, which is not a price of nothing.
package price
