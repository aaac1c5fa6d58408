package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/store"
)

// examinedStore implements doctor.Store.
type examinedStore struct{ app *App }

// Fallbacks implements doctor.Store.
func (e examinedStore) Fallbacks(ctx context.Context) ([]doctor.Fallback, error) {
	written, err := store.ReadFallbacks(e.app.Config.DataDir)
	if err != nil {
		return nil, err
	}
	all := make([]doctor.Fallback, 0, len(written))
	for _, f := range written {
		all = append(all, doctor.Fallback{Fallback: f, Trouble: e.trouble(ctx, f.Replaces)})
	}
	return all, nil
}

// trouble is why a store that was replaced cannot be had now.
func (e examinedStore) trouble(ctx context.Context, name string) error {
	if name == store.NamePostgres && !e.app.Config.DatabaseURL.IsSet() {
		return errors.New("DATABASE_URL is not set")
	}
	_, err := e.app.tryStore(ctx, name)
	return plainly(err)
}

// Clear implements doctor.Store. What is not to be cleared is written again; a
// process that looks in between finds out anew what it says.
func (e examinedStore) Clear(replaced ...string) error {
	dir := e.app.Config.DataDir
	cleared, err := store.ClearFallbacks(dir)
	if err != nil || len(replaced) == 0 {
		return err
	}
	for _, f := range cleared {
		if slices.Contains(replaced, f.Replaces) {
			continue
		}
		if _, err := store.WriteFallback(dir, f); err != nil {
			return err
		}
	}
	return nil
}

// Choice implements doctor.Store. It resolves as every command does, but opens
// nothing that is not there and writes no fallback down.
func (e examinedStore) Choice(ctx context.Context) (doctor.StoreChoice, error) {
	request := e.app.StoreRequest()
	var err error
	if request.Fallbacks, err = store.ReadFallbacks(request.DataDir); err != nil {
		return doctor.StoreChoice{}, err
	}
	made := doctor.StoreChoice{Source: e.source()}
	made.Choice, err = store.Resolve(request, func(name string) error {
		fresh, err := e.app.tryStore(ctx, name)
		made.Fresh, made.Trouble = fresh, plainly(err)
		return err
	})
	if err != nil {
		return made, plainly(err)
	}
	made.Schema, made.Place = schemaOf(made.Name), e.app.storePath(made.Name)
	if made.Name == store.NamePostgres {
		made.Place = "the address in " + e.app.Config.Source("databaseURL").String()
	}
	return made, nil
}

// source is who chose the store.
func (e examinedStore) source() string {
	if e.app.Config.Store != "" {
		return e.app.Config.Source("store").String()
	}
	return fmt.Sprintf("mode %s", e.app.Config.Mode)
}
