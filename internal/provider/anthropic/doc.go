// Package anthropic speaks Anthropic's Messages API, as Anthropic and the gateways
// with an Anthropic endpoint do.
//
// It is a thin client on the shared provider.Doer, and not the official
// anthropic-sdk-go. That SDK can be made to work (own HTTP client, retries off),
// but of an answer it would only decode once more what was judged from the raw
// bytes already; and measured with v2.15.0 on two cores it costs a program 9 MB
// (8.8 to 18.0 MB) and a clean build 100 s of CPU. By default it also reads
// credentials, base URL and headers from the environment, which a worker with an
// explicit key source must not, tells the server about the machine in X-Stainless
// headers, and refuses large max_tokens without streaming. What is left to write
// here is one request (request.go) and one response (response.go), both pure.
package anthropic
