package definition

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Report collects the problems of one file while it is read, so that a user
// sees them all at once. The zero Report is ready to use.
type Report struct {
	problems []Problem
}

// Add notes one problem at a place.
func (r *Report) Add(at Pos, message, nextStep string) {
	r.problems = append(r.problems, Problem{Pos: at, Message: message, NextStep: nextStep})
}

// AddCause notes a problem that another error made.
func (r *Report) AddCause(at Pos, message, nextStep string, cause error) {
	r.problems = append(r.problems, Problem{Pos: at, Message: message, NextStep: nextStep, Cause: cause})
}

// OK says whether nothing was noted so far.
func (r *Report) OK() bool { return len(r.problems) == 0 }

// Err returns nil or an *InvalidError for the file, its problems sorted by
// place.
func (r *Report) Err(file string) error {
	if r.OK() {
		return nil
	}
	problems := slices.Clone(r.problems)
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &InvalidError{File: file, Problems: problems}
}

// Text reads a field that holds text. An empty field is noted and reads as "".
func (r *Report) Text(f Field) string {
	switch f.Value.Kind {
	case Text:
		if strings.TrimSpace(f.Value.Text) == "" {
			break
		}
		return f.Value.Text
	case Number, Bool:
		r.Add(f.Value.Pos, f.Key+" must be text, not "+Quote(f.Value.Text),
			fmt.Sprintf("put it in quotes: %s: %q", f.Key, f.Value.Text))
		return ""
	case List, Map, Other:
		r.Add(f.Value.Pos, f.Key+" must be text", "write one value, in quotes where it holds a colon")
		return ""
	case Null:
	}
	r.Add(f.Pos, f.Key+" is empty", "give it a value or remove the line")
	return ""
}

// Choice reads a field whose value is one of a closed list.
func (r *Report) Choice(f Field, allowed ...string) string {
	before := len(r.problems)
	value := r.Text(f)
	if len(r.problems) > before || slices.Contains(allowed, value) {
		return value
	}
	r.Add(f.Value.Pos, f.Key+" cannot be "+Quote(value), "use one of: "+strings.Join(allowed, ", "))
	return ""
}

// Texts reads a field that holds a list of texts.
func (r *Report) Texts(f Field) []Item {
	if f.Value.Kind != List {
		r.Add(f.Value.Pos, f.Key+" must be a list", fmt.Sprintf("write %s: [first, second]", f.Key))
		return nil
	}
	items := make([]Item, 0, len(f.Value.Items))
	for _, n := range f.Value.Items {
		if n.Kind != Text || strings.TrimSpace(n.Text) == "" {
			r.Add(n.Pos, "an entry of "+f.Key+" is not text", "write names only, in quotes where they look like numbers")
			continue
		}
		items = append(items, Item{Pos: n.Pos, Text: n.Text})
	}
	return items
}

// Item is one text of a list with its place.
type Item struct {
	Pos
	Text string
}

// Duplicates notes every key of a mapping that stands there twice and returns
// the fields without the repetitions.
func (r *Report) Duplicates(fields []Field) []Field {
	first := make(map[string]int, len(fields))
	kept := make([]Field, 0, len(fields))
	for _, f := range fields {
		if line, seen := first[f.Key]; seen {
			r.Add(f.Pos, fmt.Sprintf("key %s stands twice (first on line %d)", Quote(f.Key), line), "keep one of them")
			continue
		}
		first[f.Key] = f.Line
		kept = append(kept, f)
	}
	return kept
}

// UnknownKey notes a key that does not exist and names those that do.
func (r *Report) UnknownKey(f Field, known []string) {
	next := "use one of: " + strings.Join(known, ", ")
	if near := Near(f.Key, known); len(near) > 0 {
		next = "did you mean " + near[0] + "? known keys: " + strings.Join(known, ", ")
	}
	r.Add(f.Pos, "unknown key "+Quote(f.Key), next)
}
