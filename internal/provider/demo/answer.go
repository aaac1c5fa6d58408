package demo

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tutti-dev/tutti/internal/provider"
)

// excerptRunes bounds each excerpt of what was received.
const excerptRunes = 160

// answer says what was received, and that no model was asked.
func answer(req provider.Request) string {
	var b strings.Builder
	b.WriteString("This is a demo echo. No model was asked and nothing was thought about the request; it shows what a model would have received.\n\n")
	fmt.Fprintf(&b, "- specialist: %s\n", orNone(firstLine(req.System)))
	fmt.Fprintf(&b, "- system prompt: %d bytes\n", len(req.System))
	fmt.Fprintf(&b, "- user prompt: %d bytes, %d lines\n", len(req.User), lines(req.User))
	fmt.Fprintf(&b, "- it begins: %s\n", orNone(excerpt(beginning(req.User))))
	fmt.Fprintf(&b, "- results of earlier tasks in it: %d\n", upstreamResults(req.User))
	b.WriteString("\nTo have the work done, choose a provider and a model: `tutti submit --backend provider --model …`.\n")
	return b.String()
}

// The delimiters of a prompt's blocks: any, and the one that hands on an earlier
// task's result. Inside a block the renderer escapes them.
const (
	blockMarker    = "<tutti:"
	closingMarker  = "</tutti:"
	upstreamMarker = blockMarker + "result "
)

// upstreamResults counts the blocks of earlier results.
func upstreamResults(user string) int {
	n := 0
	for line := range strings.Lines(user) {
		if strings.HasPrefix(line, upstreamMarker) {
			n++
		}
	}
	return n
}

// beginning is the text of a prompt's first block, or of a prompt without blocks,
// as far as an excerpt can need it.
func beginning(user string) string {
	var b strings.Builder
	for line := range strings.Lines(user) {
		if strings.HasPrefix(line, closingMarker) || b.Len() > 8*excerptRunes {
			break
		}
		if !strings.HasPrefix(line, blockMarker) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			return excerpt(line)
		}
	}
	return ""
}

// excerpt is the beginning of a text on one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text[:min(len(text), 8*excerptRunes)]), " ")
	text = strings.ToValidUTF8(text, "")
	if utf8.RuneCountInString(text) <= excerptRunes {
		return text
	}
	return string([]rune(text)[:excerptRunes]) + "…"
}

func lines(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
