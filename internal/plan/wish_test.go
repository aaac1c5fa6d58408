package plan_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/plan"
	"github.com/tutti-dev/tutti/internal/run"
)

func TestTheDigestCoversWhatWasGiven(t *testing.T) {
	t.Parallel()
	given := func() plan.Wish {
		return plan.Wish{
			Request: "please", Attachments: []plan.Attachment{{Name: "a.go", Text: "package a"}},
			Chain: "a", Backend: "provider", TaskBackends: map[string]string{"a": "provider"}, Model: "m", Provider: "p",
		}
	}
	digest := func(change func(*plan.Wish)) string {
		w := given()
		if change != nil {
			change(&w)
		}
		d, err := w.Digest()
		require.NoError(t, err)
		return d
	}
	again := digest(nil)
	require.Equal(t, again, digest(nil))
	require.Regexp(t, `^[0-9a-f]{64}$`, digest(nil))
	seen := map[string]string{digest(nil): "as given"}
	for name, change := range map[string]func(*plan.Wish){
		"request":            func(w *plan.Wish) { w.Request = "please!" },
		"an attachment":      func(w *plan.Wish) { w.Attachments[0].Text += "\n" },
		"its name":           func(w *plan.Wish) { w.Attachments[0].Name = "b.go" },
		"another attachment": func(w *plan.Wish) { w.Attachments = append(w.Attachments, plan.Attachment{Name: "b"}) },
		"none":               func(w *plan.Wish) { w.Attachments = nil },
		"chain":              func(w *plan.Wish) { w.Chain = "b" },
		"backend":            func(w *plan.Wish) { w.Backend = "" },
		"a task's backend":   func(w *plan.Wish) { w.TaskBackends["a"] = "inline" },
		"model":              func(w *plan.Wish) { w.Model = "" },
		"provider":           func(w *plan.Wish) { w.Provider = "" },
	} {
		d := digest(change)
		require.NotContains(t, seen, d, "%s: same as %s", name, seen[d])
		seen[d] = name
	}
	require.Equal(t, digest(nil), digest(func(w *plan.Wish) { w.TenantID, w.PrincipalID = "acme", "bob" }),
		"whose it is stands in the key already")
}

func TestTheDigestDoesNotCoverWhatItResolvedTo(t *testing.T) {
	t.Parallel()
	asked := func(lines, config string) (string, string) {
		m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", lines)})
		m.Model = config
		made, err := m.Make(plan.Wish{Request: "please", Chain: "a"})
		require.NoError(t, err)
		return made.Asked, made.Input.Plan.Tasks[0].Name() + made.Input.Plan.Specialists[0].Version
	}
	one, resolvedOne := asked("model: openai/gpt-5", "")
	two, resolvedTwo := asked("maxTokens: 5", "local/llama")
	require.NotEqual(t, resolvedOne, resolvedTwo)
	require.Equal(t, one, two, "a key stands for the wish, whatever the files say at the second time")
}

func TestARequestThatIsNoTextIsRefused(t *testing.T) {
	t.Parallel()
	many := make([]plan.Attachment, 101)
	for name, c := range map[string]struct {
		wish plan.Wish
		says string
	}{
		"nothing":                {plan.Wish{}, "the request is empty"},
		"blank":                  {plan.Wish{Request: " \n\t"}, "the request is empty"},
		"no UTF-8":               {plan.Wish{Request: "caf\xe9"}, "not UTF-8"},
		"NUL":                    {plan.Wish{Request: "a\x00b"}, "NUL"},
		"too long":               {plan.Wish{Request: strings.Repeat("x", plan.MaxText+1)}, "4194305 bytes"},
		"a binary attachment":    {plan.Wish{Request: "r", Attachments: []plan.Attachment{{Name: "a.png", Text: "\x89PNG\x00"}}}, "attachment a.png"},
		"a name that is no text": {plan.Wish{Request: "r", Attachments: []plan.Attachment{{Name: "\xff", Text: "t"}}}, "name of an attachment"},
		"too many attachments":   {plan.Wish{Request: "r", Attachments: many}, "101 files"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.wish.Chain, c.wish.Backend = "reviewer", "inline"
			_, err := maker(t, fstest.MapFS{}).Make(c.wish)
			var refusal *plan.Refusal
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, run.CodeRunInputInvalid, refusal.Code)
			require.NotEmpty(t, refusal.NextStep)
			require.Contains(t, refusal.Message, c.says)
			require.Less(t, len(err.Error()), 200)
		})
	}
	for _, fits := range []plan.Wish{
		{Request: strings.Repeat("x", plan.MaxText)}, {Attachments: []plan.Attachment{{Name: "a", Text: ""}}},
	} {
		fits.Chain, fits.Backend = "reviewer", "inline"
		_, err := maker(t, fstest.MapFS{}).Make(fits)
		require.NoError(t, err)
	}
}
