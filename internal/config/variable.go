package config

import (
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// UnknownVariable is a variable that looks like one of tutti's and is none.
type UnknownVariable struct {
	Name string
	// Near are the names that may have been meant.
	Near []string
}

// UnknownVariables finds the TUTTI_* variables that mean nothing. They are not
// refused, since the environment is shared with other programs, but a slip of the
// keyboard there would pass in silence. environ holds NAME=value; values are not
// looked at.
func UnknownVariables(environ []string) []UnknownVariable {
	known := variables()
	var unknown []UnknownVariable
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "TUTTI_") || value == "" || slices.Contains(known, name) {
			continue
		}
		unknown = append(unknown, UnknownVariable{Name: name, Near: definition.Near(name, known)})
	}
	slices.SortFunc(unknown, func(a, b UnknownVariable) int { return strings.Compare(a.Name, b.Name) })
	return unknown
}

// variables lists every variable of tutti's own.
func variables() []string {
	known := []string{"TUTTI_CONFIG"}
	for _, f := range settings() {
		known = append(known, variable(f.key))
	}
	return known
}
