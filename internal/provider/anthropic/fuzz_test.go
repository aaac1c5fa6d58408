package anthropic

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

const fuzzKey = "sk-fuzz-KEY-THAT-MUST-NOT-LEAK-1234"

// FuzzJudge is the fuzz test of the classifier in this dialect: whatever comes,
// there is one known class, text belongs to success and only to it, and no message
// holds the key or is too long.
func FuzzJudge(f *testing.F) {
	for _, path := range []string{"../testdata/corpus.json", "../testdata/corpus-own.json"} {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		var cases []struct {
			Status int    `json:"status"`
			Body   string `json:"body"`
		}
		require.NoError(f, json.Unmarshal(raw, &cases))
		for _, c := range cases {
			f.Add(c.Status, []byte(c.Body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		x := provider.Exchange{Status: status, Header: http.Header{}, Body: body, ReceivedAt: time.Unix(1, 0)}
		out := provider.Judge(x, provider.Endpoint{APIKey: fuzzKey}, provider.Request{Model: "m", User: "u"}, read)
		require.Contains(t, provider.Classes(), out.Class)
		require.Equal(t, out.Class.Success(), out.Text != "")
		require.True(t, utf8.ValidString(out.Text))
		require.LessOrEqual(t, len(out.Message("acme")), provider.MaxMessageBytes)
		require.NotContains(t, out.Message("acme"), fuzzKey)
	})
}
