package mcp

import (
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/run"
)

// How much of a result one slice of a text may take, in the bytes of both its
// serialisations. What comes with a run's state leaves less room than what comes
// alone from orchestration_prompt.
const (
	sliceRoom = 4200
	pageRoom  = 6400
)

// sliced cuts a text at rune boundaries into pieces that fit into a result, with
// this room for the first and that for each other. The cuts follow from the text
// alone, so every call finds the same pieces.
func sliced(text string, first, others int) []string {
	var pieces []string
	begin, room := 0, first
	for at, r := range text {
		cost := costOf(r)
		if cost > room {
			pieces = append(pieces, text[begin:at])
			begin, room = at, others
		}
		room -= cost
	}
	return append(pieces, text[begin:])
}

// promptPieces are the parts of a prompt: the first comes with the task.
func promptPieces(p run.HostPrompt) []string { return sliced(wholePrompt(p), sliceRoom, pageRoom) }

// outputPieces are the parts of an output, each of which comes with the run.
func outputPieces(text string) []string { return sliced(text, sliceRoom, sliceRoom) }

// cost is what a text takes in a result.
func cost(text string) int {
	sum := 0
	for _, r := range text {
		sum += costOf(r)
	}
	return sum
}

// costOf is how many bytes a rune takes in JSON and in the JSON of that JSON.
func costOf(r rune) int {
	switch {
	case r == '"', r == '\\':
		return 2 + 4
	case r == '\n', r == '\r', r == '\t':
		return 2 + 3
	case r < ' ', r == '\u2028', r == '\u2029':
		return 6 + 7
	case r == '<', r == '>', r == '&':
		return 6 + 6
	}
	return 2 * utf8.RuneLen(r)
}
