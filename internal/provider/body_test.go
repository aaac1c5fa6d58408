package provider_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func TestReadBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw    string
		values       int
		stream, done bool
	}{
		{"plain", `{"a":1}`, 1, false, false},
		{"byte order mark", "\xef\xbb\xbf{\"a\":1}", 1, false, false},
		{"padding and comments", "\n\n \x00: busy\n: busy\n\n{\"a\":1}", 1, false, false},
		{"comment only", ": busy", 0, false, false},
		{"end marker after it", "{\"a\":1}\n\ndata: [DONE]\n\n", 1, false, true},
		{"two values", "{\"a\":1}\n{\"a\":2}", 2, false, false},
		{"text after it", "{\"a\":1}</html>", 1, false, false},
		{"array", `[{"a":1}]`, 1, false, false},
		{"scalar", `"ok"`, 1, false, false},
		{"cut", `{"a":`, 0, false, false},
		{"empty", "", 0, false, false},
		{"page", "<html>", 0, false, false},
		{"text", "Internal Server Error", 0, false, false},
		{"stream", "event: x\ndata: {\"a\":1}\n\ndata: {\"a\":2}\n\ndata: [DONE]\n\n", 2, true, true},
		{"stream of lines", "data: {\"a\":1}\ndata: {\"a\":2}\ndata: [DONE]\n", 2, true, true},
		{"stream with broken event", "data: {\"a\":1}\n\ndata: {\"a\"\n\n", 1, true, false},
		{"bare numbers", `{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN"}`, 1, false, false},
		{"raw control characters", "{\"a\":\"x\ny\"}", 1, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := provider.ReadBody([]byte(c.raw))
			require.Len(t, body.Values, c.values)
			require.Equal(t, c.stream, body.Stream)
			require.Equal(t, c.done, body.Done)
		})
	}
}

func TestRepairKeepsWhatItDoesNotMend(t *testing.T) {
	t.Parallel()
	body := provider.ReadBody([]byte("{\"a\":NaN,\"b\":\"NaN \\\"x\\\" \t end\",\"c\":-Infinity}"))
	require.Len(t, body.Values, 1)
	require.False(t, body.Values[0].Get("a").Present())
	require.False(t, body.Values[0].Get("c").Present())
	require.Equal(t, "NaN \"x\" \t end", body.Values[0].Get("b").Text())
}

func TestErrorEventGetsAnErrorMember(t *testing.T) {
	t.Parallel()
	body := provider.ReadBody([]byte("event: error\ndata: {\"code\":429}\n\n"))
	require.Equal(t, "429", body.Values[0].At("error", "code").Token())
}

// FuzzReadBody is the fuzz test of the normaliser: it never panics, and whatever
// is valid JSON is read as the value that it is.
func FuzzReadBody(f *testing.F) {
	seedFromCorpus(f, func(c seedCase) { f.Add([]byte(c.Body)) })
	f.Add([]byte("{\"a\":NaN,\"b\":\"\x01\\\"\"}"))
	f.Add([]byte("\xff\xfe{\x00}\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		body := provider.ReadBody(raw)
		for _, v := range body.Values {
			walk(v, 0)
		}
		if json.Valid(raw) {
			require.NotEmpty(t, body.Values, "valid JSON was not read")
		}
	})
}

// walk uses every accessor on every value.
func walk(v provider.Node, depth int) {
	_, _, _, _, _ = v.Text(), v.Token(), v.Count(), v.Empty(), v.True()
	if depth > 20 {
		return
	}
	for _, item := range v.Items() {
		walk(item, depth+1)
	}
	for key, member := range v.Members() {
		walk(member, depth+1)
		_ = v.At(key, key)
	}
}

type seedCase struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func seedFromCorpus(f *testing.F, add func(seedCase)) {
	f.Helper()
	for _, path := range []string{"testdata/corpus.json", "testdata/corpus-own.json"} {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		var cases []seedCase
		require.NoError(f, json.Unmarshal(raw, &cases))
		for _, c := range cases {
			if len(c.Body) < 16<<10 {
				add(c)
			}
		}
	}
}
