package config

import "path/filepath"

// absolute turns a path as it was written into an absolute one, relative to
// base.
func (e Env) absolute(base, value string) (string, error) {
	if value == "~" || len(value) > 1 && value[:2] == "~/" {
		if e.HomeDir == "" {
			return "", refuse("write the path in full", "begins with ~, and there is no home directory")
		}
		return filepath.Join(e.HomeDir, value[1:]), nil
	}
	if filepath.IsAbs(value) {
		return filepath.Clean(value), nil
	}
	return filepath.Join(base, value), nil
}

// settle makes the path of a setting absolute. A path in the file is relative
// to the file, so that it means the same from every directory; any other is
// relative to the working directory.
func (c *Config) settle(env Env, key string, path *string) error {
	at, base := c.Source(key), env.WorkDir
	if at.File != "" {
		base = filepath.Dir(c.File)
	}
	full, err := env.absolute(base, *path)
	if err != nil {
		return refusedAt(at, key, err)
	}
	*path = full
	return nil
}
