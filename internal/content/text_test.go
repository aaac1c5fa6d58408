package content_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
)

func TestATextTravelsWithoutWhatItSaysItself(t *testing.T) {
	t.Parallel()
	kept := content.Of("hello")
	kept.Kept = true
	for name, c := range map[string]struct {
		text content.Text
		json string
	}{
		"inline":              {content.Of("hello"), `{"text":"hello"}`},
		"inline and kept":     {kept, `{"sha256":"` + content.Digest("hello") + `","size":5,"text":"hello","kept":true}`},
		"by reference":        {content.Of("hello").Ref(), `{"sha256":"` + content.Digest("hello") + `","size":5}`},
		"empty":               {content.Of(""), `{"sha256":"` + content.Digest("") + `","size":0}`},
		"none":                {content.Text{}, `{"sha256":"","size":0}`},
		"with odd characters": {content.Of("a\u2028\"<b>\uFFFD"), `{"text":"a\u2028\"\u003cb\u003e�"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := json.Marshal(c.text)
			require.NoError(t, err)
			require.Equal(t, c.json, string(raw))
			var back content.Text
			require.NoError(t, json.Unmarshal(raw, &back))
			require.Equal(t, c.text, back)
		})
	}
}

func TestATextIsReadAsAnOlderVersionWroteItAndAsAPersonDoes(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`"hello"`, `{"text":"hello"}`, `{"sha256":"` + content.Digest("hello") + `","size":5,"text":"hello"}`,
	} {
		var text content.Text
		require.NoError(t, json.Unmarshal([]byte(raw), &text), raw)
		require.Equal(t, content.Of("hello"), text, raw)
	}
	var text content.Text
	require.Error(t, json.Unmarshal([]byte(`7`), &text))
}

func TestCleanLeavesWhatPayloadsAndDatabasesCanHold(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\uFFFDb\uFFFD", content.Clean("a\x00b\xff"))
	whole := strings.Repeat("wörds ", 100)
	require.Equal(t, whole, content.Clean(whole))
}
