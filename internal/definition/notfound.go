package definition

import (
	"slices"
	"strings"
)

// maxNear is how many similar names an answer suggests.
const maxNear = 3

// NotFoundError is a name that no source defines. It carries what a caller
// needs to help the user along.
type NotFoundError struct {
	Kind  string   // what was looked for: "specialist", "chain"
	Name  string   // as it was asked for
	Near  []string // names that are spelled alike, nearest first
	Known []string // all names, sorted

	sentinel error
}

// NotFound builds the error for a name that is not among known. It wraps the
// sentinel by which the defining package's callers ask for it.
func NotFound(sentinel error, kind, name string, known []string) *NotFoundError {
	sorted := slices.Sorted(slices.Values(known))
	return &NotFoundError{Kind: kind, Name: name, Near: Near(name, sorted), Known: sorted, sentinel: sentinel}
}

// Error returns what is missing and what to do about it.
func (e *NotFoundError) Error() string { return e.Message() + "; " + e.NextStep() }

// Unwrap returns the sentinel of the package that was asked.
func (e *NotFoundError) Unwrap() error { return e.sentinel }

// Message says what was not found.
func (e *NotFoundError) Message() string { return "unknown " + e.Kind + " " + Quote(e.Name) }

// NextStep names what exists, similar names first.
func (e *NotFoundError) NextStep() string {
	if len(e.Known) == 0 {
		return "none is defined"
	}
	all := "known: " + strings.Join(e.Known, ", ")
	if len(e.Near) == 0 {
		return all
	}
	return "did you mean " + strings.Join(e.Near, " or ") + "? " + all
}

// Near returns the names that are spelled like name, nearest first, at most
// three.
func Near(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	asked := []rune(strings.ToLower(name))
	if len(asked) == 0 || len(asked) > 2*clipRunes {
		return nil
	}
	var found []candidate
	for _, k := range known {
		lower := strings.ToLower(k)
		d := distance(asked, []rune(lower))
		if d <= 1+len(asked)/4 || (len(asked) >= 3 && strings.HasPrefix(lower, string(asked))) {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found[:min(len(found), maxNear)] {
		names = append(names, c.name)
	}
	return names
}

// distance is the Levenshtein distance, in one row of memory.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
