package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// table aligns rows in columns. Widths count characters, not bytes, and no line
// ends in blanks.
type table struct {
	out    io.Writer
	rows   [][]string
	widths []int
}

// newTable begins a table; without headings it is a list of fields.
func newTable(out io.Writer, headings ...string) *table {
	t := &table{out: out}
	if len(headings) > 0 {
		t.row(headings...)
	}
	return t
}

// row adds a row. What a cell holds stays in its cell and on its line.
func (t *table) row(cells ...string) {
	row := make([]string, len(cells))
	for i, text := range cells {
		row[i] = cell(text)
		if i == len(t.widths) {
			t.widths = append(t.widths, 0)
		}
		t.widths[i] = max(t.widths[i], utf8.RuneCountInString(row[i]))
	}
	t.rows = append(t.rows, row)
}

// flush writes the table.
func (t *table) flush() error {
	w := bufio.NewWriter(t.out)
	for _, row := range t.rows {
		var line strings.Builder
		for i, text := range row {
			fmt.Fprintf(&line, "%-*s  ", t.widths[i], text)
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// cell puts a text on one line without control characters, so that what
// somebody else wrote can neither break the table nor steer the terminal.
func cell(s string) string {
	blank := func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(blank, s)), " ")
}
