package specialist

import (
	"errors"
	"slices"

	"github.com/tutti-dev/tutti/internal/definition"
)

// ErrNotFound is wrapped by the error for a name that no source defines; that
// error is a *definition.NotFoundError and names what exists.
var ErrNotFound = errors.New("specialist not found")

// Problem is a file that was refused, with the name that it holds.
type Problem = definition.Refused

// Catalogue is every specialist that a user can name. It does not change once it
// is loaded, and may be read by many goroutines.
type Catalogue struct {
	set *definition.Set[Specialist]
}

// Sources returns the directories in which users keep specialists, in order of
// precedence.
func Sources(dirs definition.Dirs) []definition.Source {
	return []definition.Source{
		dirs.InWork(".tutti/specialists"),
		dirs.InWork(".claude/agents"),
		dirs.InConfig("specialists"),
	}
}

// Load reads the sources in order of precedence and the built-in specialists
// after them. The first definition of a name wins, also where it is refused. The
// error is a directory that exists and cannot be listed.
func Load(sources []definition.Source) (*Catalogue, error) {
	set, err := definition.Load(definition.Format[Specialist]{
		Noun:       "specialist",
		NotFound:   ErrNotFound,
		Extensions: []string{".md"},
		Parse: func(label string, data []byte) (string, Specialist, error) {
			s, err := Parse(label, data)
			return s.Name, s, err
		},
	}, append(slices.Clone(sources), definition.BuiltIn(builtInFiles, "builtin")))
	if err != nil {
		return nil, err
	}
	return &Catalogue{set: set}, nil
}

// Get returns the specialist with this name. The error wraps ErrNotFound, or the
// *InvalidError of the file that holds the name and was refused.
func (c *Catalogue) Get(name string) (Specialist, error) {
	s, err := c.set.Get(name)
	if err != nil {
		return Specialist{}, err
	}
	return s.clone(), nil
}

// Lookup says whether a specialist can be used; it is what a chain is validated
// with.
func (c *Catalogue) Lookup(name string) error {
	_, err := c.set.Get(name)
	return err
}

// Version returns the version of the specialist with this name.
func (c *Catalogue) Version(name string) (string, error) {
	s, err := c.set.Get(name)
	return s.Version, err
}

// All returns the specialists that can be used, sorted by name.
func (c *Catalogue) All() []Specialist {
	all := c.set.All()
	for i, s := range all {
		all[i] = s.clone()
	}
	return all
}

// Problems returns the files that were refused, sorted by file.
func (c *Catalogue) Problems() []Problem { return c.set.Refused() }
