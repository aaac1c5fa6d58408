package config

import (
	"maps"
	"slices"
	"strings"
)

// Setting is one setting as a reader sees it. Secrets are masked.
type Setting struct {
	Key    string
	Value  string // "" where there is none
	Source Origin
}

// Source says where the value of a key was written: "tenant", "limits.park",
// "models.sonnet", "providers.local" or "providers.local.timeout".
func (c Config) Source(key string) Origin { return c.origins[key] }

// Explain lists every setting with its value and source, in the order of the
// documentation; of the aliases and providers those that are configured.
func (c Config) Explain() []Setting {
	var all []Setting
	for _, f := range settings() {
		all = append(all, Setting{f.key, f.get(&c), c.Source(f.key)})
	}
	for _, alias := range slices.Sorted(maps.Keys(c.Models)) {
		key := "models." + alias
		all = append(all, Setting{key, c.Models[alias], c.Source(key)})
	}
	for _, name := range c.providerNames() {
		p := c.Providers[name]
		for _, f := range providerSettings() {
			key := "providers." + name + "." + f.key
			if at := c.Source(key); !at.IsDefault() {
				all = append(all, Setting{key, f.get(&p), at})
			}
		}
		// The names will do: a vendor's member may hold what is nobody's business.
		if key := "providers." + name + ".extras"; len(p.Extras) > 0 {
			all = append(all, Setting{key, strings.Join(slices.Sorted(maps.Keys(p.Extras)), ", "), c.Source(key)})
		}
	}
	return all
}
