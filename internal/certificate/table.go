package certificate

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The widths of the table: what it has where no terminal says otherwise, and what it needs at least.
const (
	defaultWidth = 120
	leastWidth   = 80
)

// gap stands between two columns.
const gap = "  "

// writeTable prints a row for each scenario: number, what was done, what was expected, what was seen,
// and the verdict. What is too long for its column goes on in the next line.
func writeTable(w io.Writer, rows []Row, width int) {
	if width <= 0 {
		width = defaultWidth
	}
	columns := widths(max(width, leastWidth))
	writeCells(w, columns, []string{"NO", "DONE", "EXPECTED", "SEEN", "VERDICT"})
	for _, row := range rows {
		seen := row.Seen
		if !row.Pass {
			seen = append(append([]string{}, row.Problems...), seen...)
		}
		fmt.Fprintln(w)
		writeCells(w, columns, []string{row.ID, row.Done, row.Expected, strings.Join(seen, "; "), string(row.Verdict)})
	}
}

// widths shares what numbers and verdicts leave: what was seen gets a little more than the other two.
func widths(width int) []int {
	const number, verdict = 3, len(notRun)
	rest := width - number - verdict - 4*len(gap)
	done := rest * 3 / 10
	return []int{number, done, done, rest - 2*done, verdict}
}

func writeCells(w io.Writer, columns []int, cells []string) {
	wrapped, height := make([][]string, len(cells)), 0
	for i, cell := range cells {
		wrapped[i] = wrap(cell, columns[i])
		height = max(height, len(wrapped[i]))
	}
	for line := range height {
		var b strings.Builder
		for i, width := range columns {
			text := ""
			if line < len(wrapped[i]) {
				text = wrapped[i][line]
			}
			b.WriteString(text)
			b.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(text)))
			b.WriteString(gap)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// wrap breaks a text at its spaces into lines of at most width characters, and breaks a word only
// when it is longer than a line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for utf8.RuneCountInString(word) > width {
			letters := []rune(word)
			lines = append(lines, string(letters[:width]))
			word = string(letters[width:])
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
