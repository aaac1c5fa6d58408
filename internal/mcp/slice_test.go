package mcp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
)

func TestSlicesJoinToTheTextAndEachFits(t *testing.T) {
	t.Parallel()
	for name, whole := range map[string]string{
		"empty": "", "short": "abc", "ascii": strings.Repeat("abc ", 5000), "quotes": strings.Repeat(`"\`, 3000),
		"lines": strings.Repeat("\r\n\t", 3000), "markup": strings.Repeat("<&>", 3000), "control": strings.Repeat("\x00\x01\u2028", 2000),
		"wide": strings.Repeat("é世🙂", 3000),
	} {
		pieces := outputPieces(whole)
		require.Equal(t, whole, strings.Join(pieces, ""), name)
		for _, piece := range pieces {
			require.True(t, utf8.ValidString(piece), name)
			require.LessOrEqual(t, bothForms(t, piece), sliceRoom+8, "%s: the estimate is not below what it takes", name)
		}
		if cost(whole) > sliceRoom {
			require.Greater(t, len(pieces), 1, name)
		} else {
			require.Len(t, pieces, 1, name)
		}
	}
}

// bothForms is what a text really takes: in the structure, and in the text of the structure.
func bothForms(t *testing.T, text string) int {
	t.Helper()
	structured, err := json.Marshal(text)
	require.NoError(t, err)
	raw, err := compact(text)
	require.NoError(t, err)
	shown, err := json.Marshal(string(raw))
	require.NoError(t, err)
	return len(structured) + len(shown)
}

func TestLaterPartsOfAPromptAreLonger(t *testing.T) {
	t.Parallel()
	p := run.HostPrompt{System: "s", User: strings.Repeat("abcd", 2500)}
	pieces := promptPieces(p)
	require.Equal(t, wholePrompt(p), strings.Join(pieces, ""))
	require.Len(t, pieces, 4)
	require.Greater(t, len(pieces[1]), len(pieces[0]))
	require.LessOrEqual(t, bothForms(t, pieces[1]), pageRoom+8)
}

func FuzzSlices(f *testing.F) {
	f.Add("a\x00\"<b>é")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(strings.Repeat(text, 50), "")
		pieces := outputPieces(text)
		require.Equal(t, text, strings.Join(pieces, ""))
		for _, piece := range pieces {
			require.LessOrEqual(t, bothForms(t, piece), sliceRoom+8)
		}
	})
}

func TestNamesInKebabCase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Claude Code": "claude-code", "claude-code": "claude-code", "claudeCode": "claude-code", "codex-mcp-client": "codex-mcp-client",
		"Visual Studio Code": "visual-studio-code", "inspector_cli 2.0": "inspector-cli-2-0", "/../": "", "": "", "GitHub Copilot": "git-hub-copilot",
	} {
		require.Equal(t, want, kebab(name), name)
	}
}

func TestAHolderNamesSessionBeforeRole(t *testing.T) {
	t.Parallel()
	require.Equal(t, "alice/s", caller{session: "s", role: "codex"}.holder("alice"))
	require.Equal(t, "alice/codex", caller{role: "codex"}.holder("alice"))
	require.Equal(t, "alice/mcp", caller{}.holder("alice"))
}

func TestAnAnswerShrinksUntilItFits(t *testing.T) {
	t.Parallel()
	a := &runAnswer{RunID: "run-1", Notices: []string{strings.Repeat("n", 200)}}
	for range 100 {
		a.Tasks = append(a.Tasks, taskRow{strings.Repeat("t", 60), "role", run.TaskQueued})
	}
	result, err := pack(a, false)
	require.NoError(t, err)
	raw, err := json.Marshal(result)
	require.NoError(t, err)
	require.LessOrEqual(t, len(raw), resultLimit)
	require.Equal(t, 100, len(a.Tasks)+a.TasksOmitted)
	require.NotEmpty(t, a.Tasks)
	_, err = pack(strings.Repeat("x", resultLimit), false)
	require.ErrorContains(t, err, "larger than hosts take")
}
