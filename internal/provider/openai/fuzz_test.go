package openai

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
	"unicode/utf8"

	sdk "github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

const fuzzKey = "sk-fuzz-KEY-THAT-MUST-NOT-LEAK-1234"

// FuzzJudge is the fuzz test of the classifier in this dialect, and of the body
// that go-openai gets: whatever comes, there is one known class, text belongs to
// success and only to it, no message holds the key or is too long, and go-openai
// decodes the canonical body to the same text.
func FuzzJudge(f *testing.F) {
	for _, path := range []string{"../testdata/corpus.json", "../testdata/corpus-own.json"} {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		var cases []struct {
			Status  int               `json:"status"`
			Headers map[string]string `json:"headers"`
			Body    string            `json:"body"`
		}
		require.NoError(f, json.Unmarshal(raw, &cases))
		for _, c := range cases {
			f.Add(c.Status, c.Headers["Retry-After"], c.Headers["x-request-id"], []byte(c.Body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, wait, id string, body []byte) {
		x := provider.Exchange{Status: status, Header: http.Header{}, Body: body, ReceivedAt: time.Unix(1, 0)}
		x.Header.Set("Retry-After", wait)
		x.Header.Set("X-Request-Id", id)
		req := provider.Request{Model: "m", User: "a prompt that must not come back"}
		out := provider.Judge(x, provider.Endpoint{APIKey: fuzzKey}, req, read)
		require.Contains(t, provider.Classes(), out.Class)
		require.Equal(t, out.Class.Success(), out.Text != "")
		require.True(t, utf8.ValidString(out.Text))
		message := out.Message("acme")
		require.LessOrEqual(t, len(message), provider.MaxMessageBytes)
		require.NotContains(t, message, fuzzKey)
		require.NotContains(t, message, req.User)
		if out.RetryAfter != nil {
			require.GreaterOrEqual(t, *out.RetryAfter, time.Duration(0))
		}
		if !out.Class.Success() {
			return
		}
		rewritten, err := canonical(out)
		require.NoError(t, err)
		var completion sdk.ChatCompletionResponse
		require.NoError(t, json.Unmarshal(rewritten, &completion))
		require.Equal(t, out.Text, completion.Choices[0].Message.Content)
	})
}
