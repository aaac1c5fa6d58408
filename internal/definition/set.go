package definition

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Format says how the definitions of one kind are read. Parse returns the name
// also of a definition that it refuses, where one could be read.
type Format[T any] struct {
	// Noun is what messages call one definition: "specialist", "chain".
	Noun string
	// NotFound is the sentinel by which callers ask for a missing name.
	NotFound   error
	Extensions []string
	Parse      func(label string, data []byte) (name string, value T, err error)
}

// Refused is a file that was refused, with the name that it holds: the one that
// could be read in it, else that of the file.
type Refused struct {
	Name string
	File string
	Err  error
}

// Set is every definition of one kind that a user can name. It does not change
// once it is loaded, and may be read by many goroutines.
type Set[T any] struct {
	format  Format[T]
	entries map[string]entry[T]
	refused []Refused
}

// entry is what a name stands for: a value, or why there is none.
type entry[T any] struct {
	value  T
	file   string
	source int
	err    error
}

// Load reads the sources in order of precedence. The first definition of a name
// wins, also where it is refused: nobody gets another one of the same name without
// noticing. The error is a directory that exists and cannot be listed.
func Load[T any](format Format[T], sources []Source) (*Set[T], error) {
	s := &Set[T]{format: format, entries: map[string]entry[T]{}}
	for i, source := range sources {
		files, err := source.Files(format.Extensions...)
		if err != nil {
			return nil, fmt.Errorf("%ss: %w", format.Noun, err)
		}
		s.addSource(i, files)
	}
	slices.SortStableFunc(s.refused, func(a, b Refused) int { return strings.Compare(a.File, b.File) })
	return s, nil
}

// addSource adds the files of one directory, those that can be used first: a name
// guessed from a refused file's own name must not hide a definition that stands
// beside it.
func (s *Set[T]) addSource(source int, files []File) {
	var refused []Refused
	for _, f := range files {
		if strings.EqualFold(f.Stem, "readme") {
			continue // It explains the directory and defines nothing.
		}
		name, value, err := s.parse(f)
		if err == nil {
			s.add(name, entry[T]{value: value, file: f.Path, source: source})
			continue
		}
		if name == "" {
			name = f.Stem
		}
		refused = append(refused, Refused{Name: name, File: f.Path, Err: err})
	}
	for _, r := range refused {
		s.refused = append(s.refused, r)
		if _, taken := s.entries[r.Name]; !taken {
			s.entries[r.Name] = entry[T]{source: source, err: r.Err}
		}
	}
}

func (s *Set[T]) parse(f File) (name string, value T, err error) {
	if f.Err != nil {
		return "", value, f.Err
	}
	return s.format.Parse(f.Path, f.Data)
}

func (s *Set[T]) add(name string, e entry[T]) {
	earlier, taken := s.entries[name]
	switch {
	case !taken:
		s.entries[name] = e
	case earlier.source == e.source:
		var report Report
		report.Add(Pos{}, fmt.Sprintf("name %q is already used by %s", name, earlier.file), "give one of the two another name")
		s.refused = append(s.refused, Refused{Name: name, File: e.file, Err: report.Err(e.file)})
	default: // It is overridden, which is what precedence is for.
	}
}

// Get returns the definition of a name. The error wraps the format's NotFound and
// is a *NotFoundError, or wraps the *InvalidError of the file that holds the name.
func (s *Set[T]) Get(name string) (T, error) {
	found, ok := s.entries[name]
	var none T
	switch {
	case !ok:
		return none, NotFound(s.format.NotFound, s.format.Noun, name, s.Names())
	case found.err != nil:
		return none, fmt.Errorf("%s %s cannot be used: %w", s.format.Noun, Quote(name), found.err)
	}
	return found.value, nil
}

// Names returns the names that can be used, sorted.
func (s *Set[T]) Names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.entries)), func(name string) bool {
		return s.entries[name].err != nil
	})
}

// All returns the definitions that can be used, sorted by name.
func (s *Set[T]) All() []T {
	var all []T
	for _, name := range s.Names() {
		all = append(all, s.entries[name].value)
	}
	return all
}

// Refused returns the files that were refused, sorted by file.
func (s *Set[T]) Refused() []Refused { return slices.Clone(s.refused) }
