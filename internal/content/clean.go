package content

import "strings"

// Clean replaces NUL and invalid UTF-8, which neither a Temporal payload nor a
// database text can hold, by U+FFFD.
func Clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
