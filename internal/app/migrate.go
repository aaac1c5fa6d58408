package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/store/sqlite"
)

// MigrationResult says which store was looked at and what became of its schema.
type MigrationResult struct {
	// Store is the store in question, Asked the one that is configured. They
	// differ where the configured one has no address at all, so that the
	// filesystem stands in.
	Store string `json:"store"`
	Asked string `json:"asked"`
	// Versioned says that the store has a schema; a filesystem has none.
	Versioned bool `json:"versioned"`
	// From and To are the schema versions before and after; equal when nothing
	// had to be done, and 0 before the first migration.
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// Changed says that something was done, which with equal versions is a
	// missing mirror put in its place, empty.
	Changed bool `json:"changed"`
	// Fresh says that there is no store yet; the first command that needs one
	// makes it with the current schema.
	Fresh bool `json:"fresh"`
}

// Migrate brings the configured store to the schema of this binary. A fallback
// that is written down does not matter: the store that it replaces is the one
// that has to be made ready.
//
// The error is store.ErrSchema where a newer tutti was here, store.ErrUnavailable
// where the store does not answer, and otherwise a *ConfigError.
func (a *App) Migrate(ctx context.Context) (MigrationResult, error) {
	result, err := a.SchemaOf()
	if err != nil || !result.Versioned {
		return result, err
	}
	if result.Store == store.NameSQLite {
		result.From, result.To, err = sqlite.Migrate(ctx, a.sqlitePath())
		result.Changed = result.From != result.To
	} else {
		err = a.migratePostgres(ctx, &result)
	}
	return result, migrationError(result.Store, err)
}

// SchemaOf says which store Migrate would look at, and which version this
// binary needs, without opening it.
func (a *App) SchemaOf() (MigrationResult, error) {
	choice, err := store.Resolve(a.StoreRequest(), func(string) error { return nil })
	if err != nil {
		return MigrationResult{}, fmt.Errorf("choose a store: %w", err)
	}
	version := schemaOf(choice.Name)
	return MigrationResult{
		Store: choice.Name, Asked: choice.Asked,
		Versioned: choice.Name != store.NameFilesystem, From: version, To: version,
	}, nil
}

// CheckSchema says whether the configured store has the schema of this binary,
// and changes nothing. The error is as that of Migrate, with store.ErrSchema for
// an older schema too.
func (a *App) CheckSchema(ctx context.Context) (MigrationResult, error) {
	result, err := a.SchemaOf()
	if err != nil || !result.Versioned {
		return result, err
	}
	result.Fresh, err = a.tryStore(ctx, result.Store)
	return result, migrationError(result.Store, err)
}

// migratePostgres looks before it migrates: looking has a time limit of seconds,
// which a migration of much data cannot have.
func (a *App) migratePostgres(ctx context.Context, result *MigrationResult) error {
	_, err := a.tryStore(ctx, store.NamePostgres)
	if !errors.Is(err, store.ErrSchema) {
		return err
	}
	result.From, result.To, err = postgres.Migrate(ctx, a.Config.DatabaseURL.Reveal())
	result.Changed = err == nil
	return err
}

// migrationError keeps what the command line knows how to explain; whatever else
// keeps a store from being migrated does so again the next time.
func migrationError(name string, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("the %s store cannot be used: %w", name, plainly(err))
	for _, known := range []error{
		store.ErrSchema, store.ErrSettings, store.ErrUnavailable, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, known) {
			return err
		}
	}
	return &ConfigError{Err: fmt.Errorf("%w; see `tutti doctor`", err)}
}
