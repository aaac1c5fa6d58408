package config

import "path/filepath"

// FileName is the name of the configuration file.
const FileName = "tutti.yaml"

// Env is what a configuration needs to know of the process that it is for.
type Env struct {
	// Lookup returns an environment variable. A variable that is set and empty
	// counts as unset, as compose files produce them.
	Lookup func(name string) (string, bool)
	// HomeDir is the user's home directory, "" where there is none.
	HomeDir string
	// WorkDir is the working directory, absolute.
	WorkDir string
	// User is the name of the operating system's user, "" where it has none.
	User string
}

// Flags are the settings that the command line overrides. Nil means not given,
// which is not the same as given and empty.
type Flags struct {
	Config    *string
	Tenant    *string
	Principal *string
	DataDir   *string
	Store     *string
	TaskQueue *string
}

type override struct {
	key, flag string
	value     *string
}

func (f Flags) overrides() []override {
	return []override{
		{"tenant", "--tenant", f.Tenant},
		{"principal", "--principal", f.Principal},
		{"dataDir", "--data-dir", f.DataDir},
		{"store", "--store", f.Store},
		{"taskQueue", "--task-queue", f.TaskQueue},
	}
}

func (e Env) get(name string) (string, bool) {
	if e.Lookup == nil {
		return "", false
	}
	value, ok := e.Lookup(name)
	return value, ok && value != ""
}

// UserDir returns the user's configuration directory for tutti, or "" where
// there is no home directory. The file, specialists and chains may stand there.
func UserDir(env Env) string { return env.xdg("XDG_CONFIG_HOME", ".config") }

// xdg returns tutti's directory below the one that a variable of the XDG base
// directory specification names. That specification has relative values ignored.
func (e Env) xdg(variable, below string) string {
	if dir, ok := e.get(variable); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "tutti")
	}
	if e.HomeDir == "" {
		return ""
	}
	return filepath.Join(e.HomeDir, below, "tutti")
}
