package app

import (
	"os"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/definition"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// dirs are the directories in which this process's user keeps definitions.
func (a *App) dirs() definition.Dirs {
	var d definition.Dirs
	if a.env.WorkDir != "" {
		d.Work = os.DirFS(a.env.WorkDir)
	}
	if a.Config.UserDir != "" {
		d.Config, d.ConfigLabel = os.DirFS(a.Config.UserDir), a.Config.UserDir
	}
	return d
}

// Specialists loads the catalogue: the working directory's, the user's, the built-in ones.
func (a *App) Specialists() (*specialist.Catalogue, error) {
	return specialist.Load(specialist.Sources(a.dirs()))
}

// Chains loads the library in the same order.
func (a *App) Chains() (*chain.Library, error) {
	return chain.Load(chain.Sources(a.dirs()))
}
