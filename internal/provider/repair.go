package provider

import (
	"bytes"
	"fmt"
)

// repair makes JSON of what some servers write in its place: bare NaN, Infinity
// and -Infinity become null, and raw control characters inside a string are
// escaped. Everything else stays as it is.
func repair(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+16)
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\' && i+1 < len(raw):
			out = append(out, c, raw[i+1])
			i++
		case c == '"':
			inString = !inString
			out = append(out, c)
		case inString && c < 0x20:
			out = fmt.Appendf(out, `\u%04x`, c)
		case !inString && bareNumber(raw[i:]) > 0:
			out = append(out, "null"...)
			i += bareNumber(raw[i:]) - 1
		default:
			out = append(out, c)
		}
	}
	return out
}

// bareNumber returns the length of a leading literal that JSON does not know.
func bareNumber(raw []byte) int {
	for _, literal := range []string{"NaN", "-Infinity", "Infinity"} {
		if bytes.HasPrefix(raw, []byte(literal)) {
			return len(literal)
		}
	}
	return 0
}
