package doctor

import (
	"fmt"
	"strings"
)

// maxLine bounds how much of another program's words a message repeats.
const maxLine = 400

// line is an error on one bounded line.
func line(err error) string { return clip(err.Error()) }

func clip(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

// count writes a number with its noun: "1 run", "2 runs".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
