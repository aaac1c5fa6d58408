package definition

import (
	"fmt"
	"strconv"
	"strings"
)

// clipRunes bounds how much foreign text one message repeats.
const clipRunes = 80

// Pos is a place in a file, counted from 1. A zero Line means the file as a
// whole, a zero Col the line as a whole.
type Pos struct {
	Line int `json:"line,omitempty"`
	Col  int `json:"col,omitempty"`
}

// Problem is one thing that is wrong in a file, with the way out.
type Problem struct {
	Pos
	Message  string `json:"message"`
	NextStep string `json:"nextStep"`
	// Cause is the error that the problem was made of, where there is one, so
	// that errors.Is and errors.As see through a refusal.
	Cause error `json:"-"`
}

// String returns the problem in one line, without its file.
func (p Problem) String() string {
	text := p.Message
	if p.NextStep != "" {
		text += "; " + p.NextStep
	}
	if p.Line == 0 {
		return text
	}
	where := strconv.Itoa(p.Line)
	if p.Col > 0 {
		where += ":" + strconv.Itoa(p.Col)
	}
	return where + ": " + text
}

// InvalidError is a definition that was refused, with all of its problems in
// the order of their places.
type InvalidError struct {
	File     string    `json:"file"`
	Problems []Problem `json:"problems"`
}

// Error returns the first problem with its place and counts the others.
func (e *InvalidError) Error() string {
	if len(e.Problems) == 0 {
		return e.File + ": refused"
	}
	text := e.line(e.Problems[0])
	switch more := len(e.Problems) - 1; more {
	case 0:
		return text
	case 1:
		return text + " (and 1 more problem)"
	default:
		return fmt.Sprintf("%s (and %d more problems)", text, more)
	}
}

// Lines returns every problem as one line with its file, for a reader who asked
// to see them all.
func (e *InvalidError) Lines() []string {
	lines := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		lines = append(lines, e.line(p))
	}
	return lines
}

// Unwrap returns the causes of the problems.
func (e *InvalidError) Unwrap() []error {
	var causes []error
	for _, p := range e.Problems {
		if p.Cause != nil {
			causes = append(causes, p.Cause)
		}
	}
	return causes
}

func (e *InvalidError) line(p Problem) string {
	if p.Line == 0 {
		return e.File + ": " + p.String()
	}
	return e.File + ":" + p.String()
}

// Quote returns foreign text in quotes, on one line and clipped, as it may stand
// in a message.
func Quote(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	count := 0
	for i := range s {
		if count == clipRunes {
			return strconv.Quote(s[:i] + "…")
		}
		count++
	}
	return strconv.Quote(s)
}
