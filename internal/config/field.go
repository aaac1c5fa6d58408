package config

import (
	"slices"
	"strings"
	"unicode"
)

// layer is a set of places in which a setting may be written.
type layer int

const (
	anywhere     layer = iota // file, variable, flag
	variableOnly              // never in the file
)

// field is one setting of a T: its key, how a written value gets into the T,
// and how the T's value reads.
type field[T any] struct {
	key   string
	where layer
	set   func(*T, string) error
	get   func(*T) string
}

// fields is a table of settings.
type fields[T any] []field[T]

func (fs fields[T]) find(key string) (field[T], bool) {
	i := slices.IndexFunc(fs, func(f field[T]) bool { return f.key == key })
	if i < 0 {
		return field[T]{}, false
	}
	return fs[i], true
}

// under lists the names that may follow a prefix in the file, in the order of
// the table.
func (fs fields[T]) under(prefix string) []string {
	var names []string
	for _, f := range fs {
		rest, ok := strings.CutPrefix(f.key, prefix)
		if !ok || f.where == variableOnly {
			continue
		}
		name, _, _ := strings.Cut(rest, ".")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// variable returns the name of a key's environment variable: budget.maxCostUsd
// is TUTTI_BUDGET_MAX_COST_USD.
func variable(key string) string {
	var b strings.Builder
	b.WriteString("TUTTI_")
	lower := false
	for _, r := range key {
		switch {
		case r == '.':
			b.WriteByte('_')
		case unicode.IsUpper(r) && lower:
			b.WriteByte('_')
			b.WriteRune(r)
		default:
			b.WriteRune(unicode.ToUpper(r))
		}
		lower = unicode.IsLower(r)
	}
	return b.String()
}
