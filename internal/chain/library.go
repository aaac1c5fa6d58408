package chain

import (
	"embed"
	"errors"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// ErrNotFound is wrapped by the error for a name that no source defines; that
// error is a *definition.NotFoundError and names what exists.
var ErrNotFound = errors.New("chain not found")

// builtInFiles holds the chains that come with the binary.
//
//go:embed builtin/*.yaml
var builtInFiles embed.FS

// Problem is a file that was refused, with the name that it holds.
type Problem = definition.Refused

// Library is every chain that a user can name. It does not change once it is
// loaded, and may be read by many goroutines.
type Library struct {
	set *definition.Set[Chain]
}

// Sources returns the directories in which users keep chains, in order of
// precedence.
func Sources(dirs definition.Dirs) []definition.Source {
	return []definition.Source{dirs.InWork(".tutti/chains"), dirs.InConfig("chains")}
}

// Load reads the sources in order of precedence and the built-in chains after
// them. The first definition of a name wins, also where it is refused. The error
// is a directory that exists and cannot be listed.
func Load(sources []definition.Source) (*Library, error) {
	set, err := definition.Load(definition.Format[Chain]{
		Noun:       "chain",
		NotFound:   ErrNotFound,
		Extensions: []string{".yaml", ".yml"},
		Parse: func(label string, data []byte) (string, Chain, error) {
			c, err := Parse(label, data)
			return c.Name, c, err
		},
	}, append(slices.Clone(sources), definition.BuiltIn(builtInFiles, "builtin")))
	if err != nil {
		return nil, err
	}
	return &Library{set: set}, nil
}

// Get returns the chain with this name. The error wraps ErrNotFound, or the
// *InvalidError of the file that holds the name and was refused.
func (l *Library) Get(name string) (Chain, error) {
	c, err := l.set.Get(name)
	if err != nil {
		return Chain{}, err
	}
	return c.clone(), nil
}

// Resolve returns what a user means by a word: the chain of that name, else the
// list that it is, else the one specialist that it names. The chain is validated.
// The error is ErrNotFound, or an *InvalidError, as in Get and Validate.
func (l *Library) Resolve(text string, lookup Lookup) (Chain, error) {
	text = strings.TrimSpace(text)
	c, err := l.Get(text)
	if errors.Is(err, ErrNotFound) && (IsList(text) || exists(text, lookup)) {
		c, err = ParseList(text)
	}
	if err != nil {
		return Chain{}, err
	}
	return c, c.Validate(lookup)
}

// exists says whether a specialist has this name, be it one whose file was
// refused: then the user should hear of that file.
func exists(name string, lookup Lookup) bool {
	var missing *definition.NotFoundError
	return !errors.As(lookup(name), &missing)
}

// All returns the chains that can be used, sorted by name.
func (l *Library) All() []Chain {
	all := l.set.All()
	for i, c := range all {
		all[i] = c.clone()
	}
	return all
}

// Problems returns the files that were refused, sorted by file.
func (l *Library) Problems() []Problem { return l.set.Refused() }
