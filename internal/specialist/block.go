package specialist

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// tagPrefix begins the name of every delimiter. It is rare enough in real text
// that escaping it defaces next to nothing, code and markup included.
const tagPrefix = "tutti:"

// forgery matches the opening of anything that a model could take for one of our
// delimiters: also with spaces, slashes or invisible characters in it, and in any
// case.
var forgery = regexp.MustCompile(`(?i)<[\s\p{Z}\p{Cf}/]*` + strings.Join(strings.Split("tutti", ""), `\p{Cf}*`))

// escapeText returns a text in which no delimiter begins. Nothing else in it
// changes.
func escapeText(text string) string {
	return forgery.ReplaceAllStringFunc(text, func(match string) string { return "&lt;" + match[1:] })
}

// escapeAttribute returns a value that stays on its line and within its quotes.
func escapeAttribute(value string) string {
	var out strings.Builder
	for _, c := range value {
		switch {
		case c == '&':
			out.WriteString("&amp;")
		case c == '"':
			out.WriteString("&quot;")
		case c == '<':
			out.WriteString("&lt;")
		case c == '>':
			out.WriteString("&gt;")
		case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			fmt.Fprintf(&out, "&#x%X;", c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// attribute is one name and value in an opening delimiter.
type attribute struct {
	name  string
	value string
}

// blockWriter writes delimited blocks, each followed by a blank line.
type blockWriter struct {
	out strings.Builder
}

func (w *blockWriter) block(name string, attributes []attribute, text string) {
	w.open(name, attributes)
	w.body("", text)
	w.close(name)
}

func (w *blockWriter) open(name string, attributes []attribute) {
	w.out.WriteString("<" + tagPrefix + name)
	for _, a := range attributes {
		w.out.WriteString(" " + a.name + `="` + escapeAttribute(a.value) + `"`)
	}
	w.out.WriteString(">\n")
}

// body writes our own notice, if any, and then the foreign text.
func (w *blockWriter) body(notice, text string) {
	if notice != "" {
		w.out.WriteString(notice + "\n\n")
	}
	w.out.WriteString(escapeText(text))
	if !strings.HasSuffix(text, "\n") {
		w.out.WriteString("\n")
	}
}

func (w *blockWriter) close(name string) {
	w.out.WriteString("</" + tagPrefix + name + ">\n\n")
}
