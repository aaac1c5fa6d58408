package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/definition"
)

// scope is the part of the file that is being read: which file, and the keys
// that lead to the part.
type scope struct {
	file    Origin
	path    string // for messages and origins, as in "providers.local."
	origins map[string]Origin
}

// nested reads a mapping whose keys are the user's.
type nested func(scope, definition.Field) error

// decode reads the root of a file into the configuration.
func (c *Config) decode(label string, root definition.Node) error {
	s := scope{file: Origin{File: label}, origins: c.origins}
	if root.Kind != definition.Map && root.Kind != definition.Null {
		return &Error{Origin: s.file.at(root.Pos), Message: "the file is not a list of settings", NextStep: "write one `key: value` a line"}
	}
	return decode(s, settings(), "", c, root, map[string]nested{"models": c.readModels, "providers": c.readProviders})
}

// decode reads a mapping into t. prefix is the part of the table that the
// mapping is about; more are keys beside those of the table.
func decode[T any](s scope, table fields[T], prefix string, t *T, node definition.Node, more map[string]nested) error {
	known := slices.Concat(table.under(prefix), slices.Sorted(maps.Keys(more)))
	if err := s.distinct(node.Fields); err != nil {
		return err
	}
	for _, entry := range node.Fields {
		var err error
		key := prefix + entry.Key
		f, leaf := table.find(key)
		switch read, named := more[entry.Key]; {
		case !slices.Contains(known, entry.Key):
			err = s.unknown(entry, known)
		case named:
			err = s.mapping(entry, func() error { return read(s, entry) })
		case leaf:
			err = scalar(s, key, entry, func(value string) error { return f.set(t, value) })
		default:
			err = s.mapping(entry, func() error { return decode(s, table, key+".", t, entry.Value, nil) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scalar reads one value and notes where it stood.
func scalar(s scope, key string, entry definition.Field, set func(string) error) error {
	name := s.path + key
	switch entry.Value.Kind {
	case definition.Text, definition.Number:
	case definition.Null:
		return s.refused(entry.Pos, name, refuse("give it a value or remove the line", "has no value"))
	case definition.Bool:
		return s.refused(entry.Value.Pos, name, refuse("put it in quotes if it is meant", "cannot be %s", entry.Value.Text))
	default:
		return s.refused(entry.Value.Pos, name, refuse("write it plainly, without brackets, anchors or tags", "is not one value"))
	}
	if err := set(entry.Value.Text); err != nil {
		return s.refused(entry.Value.Pos, name, err)
	}
	s.origins[name] = s.file.at(entry.Pos)
	return nil
}

// mapping reads a part of the file that has parts itself. One without any is
// what remains when its lines are commented out.
func (s scope) mapping(entry definition.Field, read func() error) error {
	if entry.Value.Kind == definition.Null {
		return nil
	}
	if entry.Value.Kind == definition.Map {
		return read()
	}
	return s.refused(entry.Value.Pos, s.path+entry.Key, refuse("write `key: value` below it", "is not a list of settings"))
}

func (c *Config) readModels(s scope, entry definition.Field) error {
	if err := s.distinct(entry.Value.Fields); err != nil {
		return err
	}
	for _, alias := range entry.Value.Fields {
		if err := checkModel(alias.Key); err != nil {
			return s.refused(alias.Pos, "an alias in models", err)
		}
		err := scalar(s, "models."+alias.Key, alias, func(model string) error {
			if err := checkModel(model); err != nil {
				return err
			}
			c.Models[alias.Key] = model
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) readProviders(s scope, entry definition.Field) error {
	if err := s.distinct(entry.Value.Fields); err != nil {
		return err
	}
	for _, one := range entry.Value.Fields {
		if !providerName(one.Key) {
			return s.refused(one.Pos, "provider name "+definition.Quote(one.Key),
				refuse("use lower-case letters, digits and hyphens, at most 63", "is refused"))
		}
		key := "providers." + one.Key
		inner := scope{file: s.file, path: key + ".", origins: s.origins}
		p := newProvider(one.Key)
		err := scope{file: s.file, path: "providers.", origins: s.origins}.mapping(one, func() error {
			return decode(inner, providerSettings(), "", &p, one.Value, map[string]nested{"extras": p.readExtras})
		})
		if err != nil {
			return err
		}
		c.origins[key] = s.file.at(one.Pos)
		c.Providers[one.Key] = p
	}
	return nil
}

func (s scope) refused(at definition.Pos, name string, err error) error {
	return refusedAt(s.file.at(at), name, err)
}

// distinct refuses a key that stands twice: one of the two values would be
// ignored.
func (s scope) distinct(entries []definition.Field) error {
	first := make(map[string]int, len(entries))
	for _, entry := range entries {
		if line, seen := first[entry.Key]; seen {
			return &Error{
				Origin:   s.file.at(entry.Pos),
				Message:  fmt.Sprintf("key %s stands twice (first on line %d)", definition.Quote(entry.Key), line),
				NextStep: "keep one of them",
			}
		}
		first[entry.Key] = entry.Line
	}
	return nil
}

// elsewhere says where something belongs that users look for in this file.
func elsewhere() map[string]string {
	return map[string]string{
		"apikey":      "a key does not stand in this file; name its place by apiKeyEnv, keyFile or keyCommand",
		"databaseurl": "an address with a password does not stand in this file; set DATABASE_URL",
		"temporal":    "set TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, or use the Temporal CLI's temporal.toml",
	}
}

func (s scope) unknown(entry definition.Field, known []string) error {
	next := "known keys: " + strings.Join(known, ", ")
	if near := definition.Near(entry.Key, known); len(near) > 0 {
		next = "did you mean " + strings.Join(quoted(near[:min(len(near), 2)]), " or ") + "?"
	}
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(entry.Key))
	if place, ok := elsewhere()[plain]; ok {
		next = place
	}
	message := "unknown key " + definition.Quote(entry.Key)
	if s.path != "" {
		message += " in " + strings.TrimSuffix(s.path, ".")
	}
	return &Error{Origin: s.file.at(entry.Pos), Message: message, NextStep: next}
}

func quoted(names []string) []string {
	all := make([]string, 0, len(names))
	for _, n := range names {
		all = append(all, definition.Quote(n))
	}
	return all
}
