package definition_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/definition"
)

func extrasOf(t *testing.T, text string) (map[string]any, *definition.Problem) {
	t.Helper()
	root, err := definition.ParseYAML([]byte(text), 1)
	require.NoError(t, err)
	return definition.Extras(root.Fields[0])
}

func TestExtrasAreTheValuesThatJSONHas(t *testing.T) {
	t.Parallel()
	got, problem := extrasOf(t, `extras:
  top_p: 0.9
  seed: -7
  logprobs: true
  user: "42"
  stop: ["a", 1, null]
  provider: {order: [x, y], allow_fallbacks: false}
`)
	require.Nil(t, problem)
	require.Equal(t, map[string]any{
		"top_p": 0.9, "seed": -7, "logprobs": true, "user": "42", "stop": []any{"a", 1, nil},
		"provider": map[string]any{"order": []any{"x", "y"}, "allow_fallbacks": false},
	}, got)
}

func TestExtrasThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"extras: [a]":                     "extras must be a mapping",
		"extras: text":                    "extras must be a mapping",
		"extras: {model: m}":              `cannot hold "model"`,
		"extras: {messages: []}":          `cannot hold "messages"`,
		"extras: {max_tokens: 5}":         `cannot hold "max_tokens"`,
		"extras: {temperature: 1}":        `cannot hold "temperature"`,
		"extras: {n: 4}":                  `cannot hold "n"`,
		"extras: {a: 0x10}":               "is not a number that JSON has",
		"extras: {a: .inf}":               "is not a number that JSON has",
		"extras: {a: 9007199254740993}":   "is not a number that JSON has",
		"extras: {a: &x 1}":               "anchors",
		"extras: {a: {b: [&x 1]}}":        "anchors",
		"extras: {a: {b: 1, b: 2}}":       "stands twice",
		"extras: {a: 1, a: 2}":            "stands twice",
		"extras: {a: " + long(5000) + "}": "more than 4096 bytes",
	} {
		_, problem := extrasOf(t, text)
		require.NotNil(t, problem, text)
		require.Contains(t, problem.Message, want, text)
		require.NotEmpty(t, problem.NextStep, text)
		require.Equal(t, 1, problem.Line, text)
	}
}

func long(n int) string { return strings.Repeat("x", n) }
