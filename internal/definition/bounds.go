package definition

import (
	"bytes"
	"fmt"
)

// The YAML parser takes time that grows with the square of a mapping's keys and
// memory that grows with the square of the nesting. These limits are far above
// what a definition needs and keep any file's reading under a second or two.
const (
	maxDepth     = 64
	maxYAMLBytes = 64 << 10
	maxYAMLLines = 5000
)

// bounds refuses a text that is too large or too deep to be given to the parser.
func bounds(src []byte, firstLine int) error {
	at := Pos{Line: firstLine, Col: 1}
	if len(src) > maxYAMLBytes {
		return &SyntaxError{at, fmt.Sprintf("the YAML is larger than %d KiB", maxYAMLBytes>>10)}
	}
	if bytes.Count(src, []byte{'\n'}) > maxYAMLLines {
		return &SyntaxError{at, fmt.Sprintf("the YAML is longer than %d lines", maxYAMLLines)}
	}
	brackets, line := 0, 0
	for text := range bytes.Lines(src) {
		brackets = nesting(text, brackets)
		if brackets > maxDepth || indicators(text) > maxDepth {
			at.Line += line
			return &SyntaxError{at, fmt.Sprintf("values are nested deeper than %d", maxDepth)}
		}
		line++
	}
	return nil
}

// nesting returns the deepest open bracket of a line, or the depth at its end
// where that is within the limit. Brackets in quotes and comments count too: a
// text that comes near the limit is no definition.
func nesting(line []byte, depth int) int {
	for _, b := range line {
		switch b {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxDepth {
			return depth
		}
	}
	return depth
}

// indicators counts the block indicators that a line begins with: each "- " and
// "? " opens one more level.
func indicators(line []byte) int {
	count := 0
	for i := 0; i+1 < len(line); i++ {
		switch {
		case line[i] == ' ':
		case (line[i] == '-' || line[i] == '?') && (line[i+1] == ' ' || line[i+1] == '\t'):
			count++
		default:
			return count
		}
	}
	return count
}
