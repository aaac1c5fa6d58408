// Package fakeprovider is a loopback stand-in for model APIs, for tests. It answers
// in both dialects: POST <any prefix>/chat/completions (OpenAI) and POST <any
// prefix>/messages (Anthropic).
//
// # Models
//
//   - case-<id> replays a case of a corpus byte for byte: status, headers, body and
//     behaviour, resets and hanging connections included. Any prefix may stand
//     before it (openrouter/case-<id>).
//   - echo answers with a digest of the request, deterministically.
//   - echo-<ms> does the same after so many milliseconds.
//   - hold-<n> does the same once POST /release has let it go, so that a test can
//     kill or cancel while a call is known to be in flight. POST /release?model=hold-1
//     lets go one model, without a model all; what was let go once is not held again
//     until /reset.
//   - fill-<bytes> answers with a text of that many bytes.
//
// # Observing
//
// GET /stats tells, per model: calls, in_flight, max_concurrency, statuses, paths
// and call times. GET /await?model=M&calls=N answers when the model was called N
// times, so that tests need not sleep. POST /reset forgets everything. GET /cases,
// GET /healthz and GET <prefix>/models do what their names say. Requests to a path
// with /leakcheck/ in it are counted with the credential headers that came along:
// a redirect leads there.
//
// # Running
//
// Start runs it inside the test process, Launch as a process of its own, which
// outlives the kill -9 of whatever calls it; both hand out a Client. The server
// refuses addresses that are not loopback.
package fakeprovider
