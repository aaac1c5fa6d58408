package mcp

import "unicode/utf8"

// sliceRoom is how much of a result one slice of a text may take, in the bytes of
// both its serialisations.
const sliceRoom = 4200

// sliced cuts a text at rune boundaries into pieces that fit into a result. The
// cuts follow from the text alone, so every call finds the same pieces.
func sliced(text string) []string {
	var pieces []string
	begin, room := 0, sliceRoom
	for at, r := range text {
		cost := costOf(r)
		if cost > room {
			pieces = append(pieces, text[begin:at])
			begin, room = at, sliceRoom
		}
		room -= cost
	}
	return append(pieces, text[begin:])
}

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
