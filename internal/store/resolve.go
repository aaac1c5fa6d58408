package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// ErrUnknown is returned for a store that cannot be chosen.
	ErrUnknown = errors.New("unknown store")
	// ErrSettings is what opening a store returns when its settings cannot be
	// right whatever the state of the world, as an address that is none. No
	// other store replaces one that is configured wrongly.
	ErrSettings = errors.New("store settings refused")
)

// Resolve decides which store to use. It calls open for the store in question,
// which must really open it and close it again; errors of open are told apart
// by ErrSchema, ErrSettings and the context's end. Resolve has no other effect.
//
// Every refusal is for good: ErrUnknown, ErrSchema, ErrSettings, or a
// filesystem store that cannot be opened, for which nothing stands in.
func Resolve(req Request, open func(name string) error) (Choice, error) {
	asked, err := ask(req)
	if err != nil {
		return Choice{}, err
	}
	if known, ok := req.Fallbacks.For(asked); ok && asked != NameFilesystem {
		return follow(known, open)
	}
	switch asked {
	case NamePostgres:
		return resolvePostgres(req, open)
	case NameSQLite:
		return resolveSQLite(open)
	default:
		if err := open(NameFilesystem); err != nil {
			return Choice{}, fmt.Errorf("open the filesystem store: %w", err)
		}
		return Choice{Name: NameFilesystem, Asked: NameFilesystem}, nil
	}
}

func ask(req Request) (string, error) {
	asked := req.Chosen
	if asked == "" {
		byMode, ok := ByMode(req.Mode)
		if !ok {
			return "", fmt.Errorf("%w: mode %q has none; use solo, team or enterprise", ErrUnknown, req.Mode)
		}
		asked = byMode
	}
	if !slices.Contains(Choosable(), asked) {
		return "", fmt.Errorf("%w: %q; use one of: %s", ErrUnknown, asked, strings.Join(Choosable(), ", "))
	}
	return asked, nil
}

// resolvePostgres never replaces a database that is configured: one machine's
// disk is not what the others see. While it is down runs go on without it.
func resolvePostgres(req Request, open func(string) error) (Choice, error) {
	if !req.DatabaseURLSet {
		return fallBack(NamePostgres, "DATABASE_URL is not set", open)
	}
	choice := Choice{Name: NamePostgres, Asked: NamePostgres}
	switch err := open(NamePostgres); {
	case err == nil:
		return choice, nil
	case forGood(err), errors.Is(err, context.Canceled):
		return Choice{}, fmt.Errorf("open the postgres store: %w", err)
	default:
		// The driver's words may hold the address, so they stay out.
		choice.Warning = "postgres cannot be used now; runs go on, lists come from Temporal until it is back; see tutti doctor"
		return choice, nil
	}
}

func resolveSQLite(open func(string) error) (Choice, error) {
	err := open(NameSQLite)
	switch {
	case err == nil:
		return Choice{Name: NameSQLite, Asked: NameSQLite}, nil
	case forGood(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		// That we stopped waiting says nothing about the file.
		return Choice{}, fmt.Errorf("open the sqlite store: %w", err)
	default:
		return fallBack(NameSQLite, oneLine(err.Error()), open)
	}
}

func forGood(err error) bool {
	return errors.Is(err, ErrSchema) || errors.Is(err, ErrSettings)
}

// fallBack is the first time that a store cannot be had.
func fallBack(asked, reason string, open func(string) error) (Choice, error) {
	if err := open(NameFilesystem); err != nil {
		return Choice{}, fmt.Errorf("%s cannot be had (%s), and open the filesystem store: %w", asked, reason, err)
	}
	f := Fallback{Replaces: asked, Store: NameFilesystem, Reason: reason}
	return Choice{Name: f.Store, Asked: asked, Warning: f.warning(), Fallback: &f}, nil
}

// follow is every later time: processes of one data directory keep to one store.
func follow(known Fallback, open func(string) error) (Choice, error) {
	if err := open(known.Store); err != nil {
		return Choice{}, fmt.Errorf("open the %s store, which stands in for %s: %w", known.Store, known.Replaces, err)
	}
	return Choice{Name: known.Store, Asked: known.Replaces, Warning: known.warning()}, nil
}

func (f Fallback) warning() string {
	return fmt.Sprintf("the %s store stands in for %s (%s); mend that and run tutti doctor --fix", f.Store, f.Replaces, f.Reason)
}

func oneLine(s string) string {
	const limit = 300
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}
