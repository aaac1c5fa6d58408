package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/plan"
)

// travelling makes a wish of chain a and checks what holds of every input: the
// inline text is within the budget, and every text that is not inline is kept.
func travelling(t *testing.T, m *plan.Maker, w plan.Wish) plan.Made {
	t.Helper()
	made, err := m.Make(w)
	require.NoError(t, err)
	list := []content.Text{made.Input.Request}
	for _, a := range made.Input.Attachments {
		list = append(list, a.Text)
	}
	for _, s := range made.Input.Plan.Specialists {
		list = append(list, s.Prompt)
	}
	inline, byReference := 0, map[string]string{}
	for _, text := range list {
		if !text.IsRef() {
			require.LessOrEqual(t, text.Size, content.InlineLimit)
			require.Equal(t, content.Of(text.Inline).SHA256, text.SHA256)
			inline += len(text.Inline)
			continue
		}
		kept, there := made.Keep[text.SHA256]
		require.True(t, there, "a text that travels by reference is not kept")
		require.Equal(t, content.Of(kept).Ref(), text)
		byReference[text.SHA256] = kept
	}
	require.LessOrEqual(t, inline, history.InputLimit)
	require.Equal(t, byReference, made.Keep, "nothing is kept that stands in the input")
	return made
}

func TestShortTextsTravelInline(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	made := travelling(t, m, plan.Wish{
		TenantID: "acme", PrincipalID: "alice", Request: "please\nand thanks", Chain: "a",
		Attachments: []plan.Attachment{{Name: "empty.txt"}, {Name: "a.go", Text: strings.Repeat("x", content.InlineLimit)}},
	})
	require.Empty(t, made.Keep)
	require.Equal(t, "acme", made.Input.TenantID)
	require.Equal(t, "alice", made.Input.PrincipalID)
	require.Equal(t, "please and thanks", made.Input.Summary)
	require.Equal(t, "a", made.Input.Chain)
	require.Equal(t, []string{"empty.txt", "a.go"}, []string{made.Input.Attachments[0].Name, made.Input.Attachments[1].Name})
}

func TestALongTextTravelsByReference(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	request := strings.Repeat("0123456789abcdef", 1<<16)
	made := travelling(t, m, plan.Wish{Request: request, Chain: "a"})
	require.Equal(t, map[string]string{content.Digest(request): request}, made.Keep)
	raw, err := json.Marshal(made.Input)
	require.NoError(t, err)
	require.Less(t, len(raw), 4<<10, "a request of 1 MiB makes no larger input than a short one")

	made = travelling(t, m, plan.Wish{Chain: "a", Request: "r", Attachments: []plan.Attachment{{Name: "a", Text: request}, {Name: "b", Text: request}}})
	require.Len(t, made.Keep, 1, "one text, kept once")
}

func TestTheLongestGoByReferenceUntilTheRestFits(t *testing.T) {
	t.Parallel()
	m := maker(t, fstest.MapFS{".tutti/specialists/a.md": persona("a", "model: openai/gpt-5")})
	w := plan.Wish{Request: "r", Chain: "a"}
	for i := range 8 {
		w.Attachments = append(w.Attachments, plan.Attachment{Name: fmt.Sprint(i), Text: strings.Repeat(fmt.Sprint(i), 4100+i)})
	}
	made := travelling(t, m, w)
	require.Len(t, made.Keep, 1)
	require.True(t, made.Input.Attachments[7].Text.IsRef(), "the longest of them")
}

// A Temporal payload may have 2 MiB, and a warning is logged from 512 KiB on.
func TestTheLargestChainMakesASmallInput(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	var chain strings.Builder
	chain.WriteString("name: wide\ndescription: d\ntasks:\n")
	for i := range 100 {
		name := fmt.Sprintf("specialist-%03d-%s", i, strings.Repeat("x", 40))
		files[".tutti/specialists/"+name+".md"] = persona(name, "model: openai/gpt-5\n")
		files[".tutti/specialists/"+name+".md"].Data = append(files[".tutti/specialists/"+name+".md"].Data, strings.Repeat("think. ", 300)...)
		var needs []string
		for j := max(0, i-32); j < i; j++ {
			needs = append(needs, fmt.Sprintf("task-%03d", j))
		}
		fmt.Fprintf(&chain, "  - {id: task-%03d, specialist: %s, needs: [%s]}\n", i, name, strings.Join(needs, ", "))
	}
	files[".tutti/chains/wide.yaml"] = &fstest.MapFile{Data: []byte(chain.String())}
	made := travelling(t, maker(t, files), plan.Wish{Request: strings.Repeat("r", content.InlineLimit), Chain: "wide"})
	require.Len(t, made.Input.Plan.Tasks, 100)
	require.Len(t, made.Input.Plan.Tasks[99].Needs, 32)
	raw, err := json.Marshal(made.Input)
	require.NoError(t, err)
	require.Less(t, len(raw), 256<<10)
}
