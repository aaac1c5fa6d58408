package config

import (
	"maps"
	"slices"

	"github.com/tutti-dev/tutti/internal/definition"
)

// Load reads the configuration of a process: defaults, the file, variables,
// flags. Every refusal is an *Error.
func Load(env Env, flags Flags) (Config, error) {
	c := defaults(env)
	for _, layer := range []func() error{
		func() error { return c.loadFile(env, flags) },
		func() error { return c.loadVariables(env) },
		func() error { return c.loadFlags(flags) },
		func() error { return c.finish(env) },
	} {
		if err := layer(); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

func (c *Config) loadFile(env Env, flags Flags) error {
	places, err := candidates(env, flags)
	if err != nil {
		return err
	}
	for _, place := range places {
		data, found, err := place.read()
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		c.File = place.path
		root, err := definition.ParseYAML(data, 1)
		if err != nil {
			return place.refused(err)
		}
		return c.decode(place.label, root)
	}
	return nil
}

func (c *Config) loadVariables(env Env) error {
	for _, f := range settings() {
		names := []string{variable(f.key)}
		if f.key == "databaseURL" {
			// The name that every tool around Postgres uses.
			names = append(names, "DATABASE_URL")
		}
		for _, name := range names {
			value, ok := env.get(name)
			if !ok {
				continue
			}
			if err := c.override(f, value, Origin{Variable: name}); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

func (c *Config) loadFlags(flags Flags) error {
	table := settings()
	for _, o := range flags.overrides() {
		f, ok := table.find(o.key)
		if !ok || o.value == nil {
			continue
		}
		if err := c.override(f, *o.value, Origin{Flag: o.flag}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) override(f field[Config], value string, at Origin) error {
	if err := f.set(c, value); err != nil {
		return refusedAt(at, f.key, err)
	}
	c.origins[f.key] = at
	return nil
}

// finish looks at the whole once every layer has spoken.
func (c *Config) finish(env Env) error {
	if err := checkName(c.Principal); err != nil {
		return refusedAt(c.Source("principal"), "principal", err)
	}
	if (c.Deployment.Name == "") != (c.Deployment.BuildID == "") {
		key := "deployment.name"
		if c.Deployment.Name == "" {
			key = "deployment.buildID"
		}
		return refusedAt(c.Source(key), key, refuse("give both deployment.name and deployment.buildID, or none", "stands alone"))
	}
	if c.DataDir == "" {
		return &Error{Message: "there is no home directory for the data directory", NextStep: "set TUTTI_DATA_DIR"}
	}
	if err := c.settle(env, "dataDir", &c.DataDir); err != nil {
		return err
	}
	return c.finishProviders(env)
}

func (c *Config) finishProviders(env Env) error {
	for _, name := range c.providerNames() {
		p := c.Providers[name]
		prefix := "providers." + name + "."
		if key, err := p.check(); err != nil {
			return refusedAt(c.blame(prefix, key), prefix+key, err)
		}
		// The variable is above the file, also above what the file says of one
		// provider.
		if at := c.Source("providerTimeout"); p.Timeout == 0 || !at.IsDefault() {
			p.Timeout = c.ProviderTimeout
			if !at.IsDefault() {
				c.origins[prefix+"timeout"] = at
			}
		}
		if p.KeyFile != "" {
			if err := c.settle(env, prefix+"keyFile", &p.KeyFile); err != nil {
				return err
			}
		}
		c.Providers[name] = p
	}
	return nil
}

// blame returns the place of a provider's setting, or of another one of the
// same part, or of the provider, where that setting has its default.
func (c *Config) blame(prefix, key string) Origin {
	for _, candidate := range []string{prefix + key, prefix + "retry.maxBackoff", prefix[:len(prefix)-1]} {
		if at := c.Source(candidate); !at.IsDefault() {
			return at
		}
	}
	return Origin{}
}

func (c Config) providerNames() []string { return slices.Sorted(maps.Keys(c.Providers)) }
