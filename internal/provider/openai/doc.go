// Package openai speaks the OpenAI chat completions dialect, as OpenAI, OpenRouter,
// Ollama, vLLM and many others do.
//
// request.go and response.go translate and touch no network. The request goes out
// through go-openai, but go-openai never decides anything: its HTTP client is a
// courier of ours (courier.go) that sends through the shared provider.Doer, keeps
// status, headers and raw bytes, and judges them. An answer that is not a success
// ends there. Of a success go-openai gets a body that was written anew from what was
// judged (canonical.go), so that none of the odd shapes in which servers answer can
// make it lose a paid answer, and its own error types are never looked at.
//
// Reasoning models (o1, o3, gpt-5 and later, by name) get max_completion_tokens in
// place of max_tokens, and no temperature other than 1, because they refuse both.
package openai
