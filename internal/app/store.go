package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/filesystem"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/store/sqlite"
)

// checkTimeout bounds how long a command waits to learn whether a store is there.
const checkTimeout = 5 * time.Second

// StoreRequest is what the choice of the store depends on here.
func (a *App) StoreRequest() store.Request {
	return store.Request{
		Chosen: a.Config.Store, Mode: string(a.Config.Mode),
		DatabaseURLSet: a.Config.DatabaseURL.IsSet(), DataDir: a.Config.DataDir,
	}
}

// openStore chooses a store by really opening it, and returns it open.
func (a *App) openStore(ctx context.Context, now time.Time) (store.Store, store.Choice, error) {
	opened := make(map[string]store.Store)
	choice, err := store.Choose(a.StoreRequest(), now, func(name string) error {
		s, err := a.openNamed(ctx, name)
		if s != nil {
			opened[name] = s
		}
		return err
	})
	for name, s := range opened {
		if err != nil || name != choice.Name {
			_ = s.Close() // It was opened only to see whether it can be.
		}
	}
	if err != nil {
		return nil, choice, fmt.Errorf("choose a store: %w", err)
	}
	return opened[choice.Name], choice, nil
}

// openNamed opens one store and checks it. A Postgres that is down is returned
// with the error: it may be chosen all the same.
func (a *App) openNamed(ctx context.Context, name string) (store.Store, error) {
	var s store.Store
	var err error
	switch name {
	case store.NamePostgres:
		if s, err = postgres.Open(ctx, a.Config.DatabaseURL.Reveal(), postgres.Options{}); err != nil {
			return nil, errors.Join(store.ErrSettings, errors.New("DATABASE_URL cannot be read as a Postgres address"))
		}
	case store.NameSQLite:
		s, err = sqlite.Open(ctx, a.sqlitePath())
	default:
		s, err = filesystem.Open(filepath.Join(a.Config.DataDir, "store"))
	}
	if err != nil {
		return nil, err
	}
	checking, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return s, s.Check(checking)
}

func (a *App) sqlitePath() string { return filepath.Join(a.Config.DataDir, "tutti.db") }
