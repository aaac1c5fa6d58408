package specialist_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/specialist"
)

const whole = `---
name: code-reviewer
description: Reviews code
model: sonnet
tools: Read, Grep, Bash(git log, git diff)
provider: openrouter
maxTokens: 4096
temperature: 0
fallbackModels: [haiku, gpt-5-mini]
reasoning: hidden
effort: medium
extras:
  top_p: 0.9
  provider: {order: [a, b]}
---

  You review.
`

func TestParseReadsEveryKey(t *testing.T) {
	t.Parallel()
	got, err := specialist.Parse("a/code-reviewer.md", []byte(whole))
	require.NoError(t, err)
	zero := 0.0
	want := specialist.Specialist{
		Name:           "code-reviewer",
		ID:             "3cde9c63-2397-55f8-aff7-940778a9525f",
		Version:        got.Version,
		Description:    "Reviews code",
		Model:          "sonnet",
		Provider:       "openrouter",
		Tools:          []string{"Read", "Grep", "Bash(git log, git diff)"},
		MaxTokens:      4096,
		Temperature:    &zero,
		FallbackModels: []string{"haiku", "gpt-5-mini"},
		Reasoning:      specialist.ReasoningHidden,
		Effort:         "medium",
		Extras:         map[string]any{"top_p": 0.9, "provider": map[string]any{"order": []any{"a", "b"}}},
		Prompt:         "\n  You review.\n",
		Source:         "a/code-reviewer.md",
	}
	require.Empty(t, cmp.Diff(want, got))
}

func TestParseKeepsTheBodyToTheByte(t *testing.T) {
	t.Parallel()
	head := "---\nname: x\ndescription: d\n---"
	for name, body := range map[string]string{
		"no final newline": "text",
		"blank lines":      "\n\n text \n\n",
		"carriage returns": "one\r\ntwo\r\n",
		"a rule inside":    "one\n---\ntwo: three\n---\n",
		"not composed":     "cafe\u0301",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := specialist.Parse("x.md", []byte(head+"\n"+body))
			require.NoError(t, err)
			require.Equal(t, body, got.Prompt)
		})
	}
	windows, err := specialist.Parse("x.md", []byte("\uFEFF---\r\nname: x\r\ndescription: d\r\n---  \r\nbody\r\n"))
	require.NoError(t, err)
	require.Equal(t, "body\r\n", windows.Prompt)
	require.Equal(t, "d", windows.Description)
}

func TestParseToolsInAllSpellings(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"tools: Read":                          {"Read"},
		"tools: Read, , Grep,":                 {"Read", "Grep"},
		"tools: [Read, 'Bash(a, b)']":          {"Read", "Bash(a, b)"},
		"tools:\n  - Read\n  - mcp__db__query": {"Read", "mcp__db__query"},
		"tools: []":                            {},
		"tools: \"*\"":                         {"*"},
		"color: red":                           nil,
		"tools:":                               nil,
		"tools: Bash(git diff: *), Read":       {"Bash(git diff: *)", "Read"},
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			got, err := specialist.Parse("x.md", []byte("---\nname: x\ndescription: d\n"+line+"\n---\nbody"))
			require.NoError(t, err)
			require.Equal(t, want, got.Tools)
		})
	}
}

// foreign is what Claude Code writes and runs: keys that mean nothing here, and a
// description that is no YAML.
const foreignFile = `---
name: ui-tester
description: Use this agent after UI work: it checks pages. Examples:\n\n<example>
Context: the user changed a form.
user: "Please check the form"
assistant: 'I will: run it'
</example>
model: inherit
color: cyan
permissionMode: acceptEdits
mcpServers:
  browser:
    command: [npx, -y, "@x/browser"]
hooks:
  PreToolUse:
    - matcher: "Bash"
maxtokens: 5
---
Test it.
`

func TestParseReadsForeignFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	got, err := specialist.Parse(".claude/agents/ui.md", []byte(foreignFile))
	require.NoError(t, err)
	require.Equal(t, "ui-tester", got.Name)
	require.Empty(t, got.Model, "inherit is the caller's model")
	require.True(t, strings.HasPrefix(got.Description, "Use this agent after UI work: it checks pages."))
	require.Contains(t, got.Description, `user: "Please check the form"`)
	require.Equal(t, "Test it.\n", got.Prompt)
	require.Equal(t, []string{
		".claude/agents/ui.md:3: description is not valid YAML and was read as plain text; put it in quotes",
		`.claude/agents/ui.md:9: key "color" is not read by tutti and has no effect`,
		`.claude/agents/ui.md:10: key "permissionMode" is not read by tutti and has no effect`,
		`.claude/agents/ui.md:11: key "mcpServers" is not read by tutti and has no effect`,
		`.claude/agents/ui.md:14: key "hooks" is not read by tutti and has no effect`,
	}, got.Warnings)
}

func TestParseWarnsOfWhatHasNoEffect(t *testing.T) {
	t.Parallel()
	got, err := specialist.Parse("x.md", []byte("---\nname: x\nmaxtokens: 5\nmodel:\nshape: &a [*b]\n---\nbody"))
	require.NoError(t, err)
	require.Equal(t, []string{
		`x.md:3: key "maxtokens" is not read by tutti and has no effect; did you mean maxTokens?`,
		"x.md:4: model is empty and has no effect",
		`x.md:5: key "shape" is not read by tutti and has no effect`,
		"x.md:1: description is missing; add one line that says when to choose this specialist",
	}, got.Warnings)
}

func TestParseRefusesWithPlaceAndNextStep(t *testing.T) {
	t.Parallel()
	front := func(lines string) string { return "---\nname: x\ndescription: d\n" + lines + "\n---\nbody" }
	cases := map[string]struct{ src, want string }{
		"no front matter":     {"# Title\n", "x.md:1: the file has no front matter; begin it with"},
		"nothing":             {"", "x.md:1: the file has no front matter"},
		"no end":              {"---\nname: x\n", "x.md:1: the file has no front matter"},
		"no name":             {"---\ndescription: d\n---\nbody", "x.md:1: name is missing; add a line like name: reviewer"},
		"empty name":          {"---\nname:\n---\nbody", "x.md:2:1: name is empty; give it a value"},
		"name in capitals":    {"---\nname: Code Reviewer\n---\nbody", `x.md:2:7: name "Code Reviewer" cannot be used; use up to 64 lower-case`},
		"name that goes up":   {"---\nname: ../x\n---\nbody", `x.md:2:7: name "../x" cannot be used`},
		"empty body":          {"---\nname: x\ndescription: d\n---\n", "x.md:4: the body is empty; write the system prompt"},
		"invisible body":      {"---\nname: x\ndescription: d\n---\n \u00a0\u200b\n\t", "x.md:4: the body is empty"},
		"a key twice":         {front("model: a\nmodel: b"), `x.md:5:1: key "model" stands twice (first on line 4)`},
		"a list":              {"---\n- name\n---\nbody", "x.md:2:1: the front matter is not a list of keys"},
		"model list":          {front("model: [a]"), "x.md:4:8: model must be text"},
		"model with space":    {front("model: gpt 5"), `x.md:4:8: model "gpt 5" is not the name of a model`},
		"unclosed model":      {front("model: 'a"), "x.md:4:8: the front matter is not valid YAML: could not find end character"},
		"provider":            {front("provider: Open Router"), `x.md:4:11: provider "Open Router" is not the name of a provider`},
		"maxTokens zero":      {front("maxTokens: 0"), "x.md:4:12: maxTokens must be a whole number from 1"},
		"maxTokens text":      {front("maxTokens: '7'"), "x.md:4:12: maxTokens must be a whole number"},
		"maxTokens huge":      {front("maxTokens: 99999999999999999999"), "x.md:4:12: maxTokens must be a whole number"},
		"temperature high":    {front("temperature: 2.1"), "x.md:4:14: temperature must be a number from 0 to 2"},
		"temperature nan":     {front("temperature: .nan"), "x.md:4:14: temperature must be a number from 0 to 2"},
		"fallback not a list": {front("fallbackModels: a"), "x.md:4:17: fallbackModels must be a list"},
		"fallback too long":   {front("fallbackModels: [a,a,a,a,a,a,a,a,a]"), "x.md:4:17: fallbackModels has 9 entries; name at most 8"},
		"effort":              {front("effort: hihg"), `x.md:4:9: effort cannot be "hihg"; use one of: minimal, low, medium, high, xhigh, max`},
		"extras":              {front("extras: {stream: true}"), `x.md:4:10: extras cannot hold "stream"; one whole answer is asked for; remove the line`},
		"extras, no mapping":  {front("extras: fast"), `x.md:4:9: extras must be a mapping; write the members below it, like top_p: 0.9`},
		"reasoning":           {front("reasoning: show"), `x.md:4:12: reasoning cannot be "show"; use one of: hidden, surface`},
		"tools map":           {front("tools: {a: 1}"), "x.md:4:8: tools must be a list"},
		"NUL":                 {front("model: a\x00"), "x.md:4: the file holds a NUL byte"},
		"not UTF-8":           {front("model: a\xff"), "x.md:4: the file is not UTF-8"},
		"too large":           {front("") + strings.Repeat("x", 256<<10), "x.md: the file is larger than 256 KiB"},
		"loose, before a key": {"---\nhello: there: you\nname: x\n---\nbody", "x.md:2:1: this line belongs to no key"},
		"loose name":          {"---\nname: a: b\ndescription: d\n---\nbody", "x.md:2:"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := specialist.Parse("x.md", []byte(c.src))
			var invalid *specialist.InvalidError
			require.ErrorAs(t, err, &invalid)
			require.Contains(t, err.Error(), c.want)
			require.NotContains(t, err.Error(), "\n")
			require.Empty(t, got.Prompt)
		})
	}
}

func TestParseReportsAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := specialist.Parse("x.md", []byte("---\nname: X\nmaxTokens: many\nreasoning: loud\n---\n"))
	var invalid *specialist.InvalidError
	require.ErrorAs(t, err, &invalid)
	var lines []int
	for _, p := range invalid.Problems {
		lines = append(lines, p.Line)
		require.NotEmpty(t, p.NextStep)
	}
	require.Equal(t, []int{2, 3, 4, 5}, lines)
}

// FuzzParse holds that any file is read or refused, never more.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(foreignFile))
	f.Add([]byte("---\nname: a: b\ntools: [\n---\nx"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		got, err := specialist.Parse("x.md", src)
		var invalid *specialist.InvalidError
		switch {
		case err != nil && !errors.As(err, &invalid):
			t.Fatalf("%T: %v", err, err)
		case err == nil && (!specialist.ValidName(got.Name) || got.Version == "" || !strings.HasSuffix(string(src), got.Prompt)):
			t.Fatalf("read %+v", got)
		}
	})
}
