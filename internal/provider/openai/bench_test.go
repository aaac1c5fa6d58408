package openai_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/openai"
)

const benchAnswer = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"All good here."},"finish_reason":"stop"}],"usage":{"prompt_tokens":21,"completion_tokens":7,"total_tokens":28}}`

func benchServer(b *testing.B) string {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, benchAnswer)
	}))
	b.Cleanup(server.Close)
	return server.URL
}

// BenchmarkBarePost is what net/http alone costs: one POST, the answer read and
// not looked at. The server's share is in both benchmarks; the overhead of a call is
// the difference to BenchmarkCall.
func BenchmarkBarePost(b *testing.B) {
	url := benchServer(b)
	transport := provider.NewTransport(provider.TransportOptions{})
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"u"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
}

// BenchmarkCall is a whole call through the adapter.
func BenchmarkCall(b *testing.B) {
	url := benchServer(b)
	transport := provider.NewTransport(provider.TransportOptions{})
	defer transport.CloseIdleConnections()
	client := openai.New(provider.NewDoer(transport))
	ep := provider.Endpoint{BaseURL: url, APIKey: "sk-bench-0000"}
	req := provider.Request{Model: "m", User: "u"}
	b.ReportAllocs()
	for b.Loop() {
		out, err := client.Call(b.Context(), ep, req)
		if err != nil || out.Class != provider.OK {
			b.Fatal(out.Class, err)
		}
	}
}
