// Package provider is the port to model APIs: what is asked, what came back,
// and what it means. Nothing here is Temporal's or a database's; the adapters
// (openai, anthropic, demo) speak the dialects.
//
// # Vocabulary
//
// A [Request] is one question. An [Endpoint] is where it goes, with which
// credential, and with which [Defaults] for what the request leaves open. One call of [Caller.Call] is one attempt: one HTTP request, never
// two. Its [Outcome] carries exactly one [Class]; the class decides the error
// code and whether trying again can help. An [Exchange] is the raw material:
// status, headers and bytes as they came, or the transport's failure.
//
// # Shape
//
//	Request ─ adapter/request.go ─▶ Doer.Post ─▶ Exchange ─▶ Judge ─▶ Outcome
//	                                  │                       │
//	                    no redirect, read caps,     transport error, status with body,
//	                    deadline, raw bytes kept    then the 2xx body (adapter/response.go)
//
// The order of the decision is the order in which things can be known: did a
// whole answer arrive (failure.go), does status and body say that it was
// refused (refusal.go, rules.go), and only then what the body of a success
// holds (reading.go, filled by the adapter from a [Node]).
//
// # Invariants
//
//   - A 2xx is transport success, not task success.
//   - The caller's cancellation is not an outcome; it comes back as an error.
//   - No provider prose leaves this package. [Outcome.Message] is made of our
//     own words, the status, type and code tokens that [Guard] lets through,
//     and the request ID.
//   - Usage that is absent, null or unreadable is unknown, not zero.
//   - A failed call has no text: partial output is dropped, not stored.
//   - Reasoning is dropped unless the request asked to surface it.
//   - No request is sent while a transaction is open in the context's scope.
package provider
