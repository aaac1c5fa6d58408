package doctor_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestStoreChoice(t *testing.T) {
	t.Parallel()
	postgres := store.Choice{Name: "postgres", Asked: "postgres"}
	stands := store.Choice{Name: "filesystem", Asked: "postgres", Warning: "stands in"}
	falls := stands
	falls.Fallback = &store.Fallback{Replaces: "postgres", Store: "filesystem", Reason: "DATABASE_URL is not set"}
	for name, c := range map[string]struct {
		choice  doctor.StoreChoice
		none    error
		level   doctor.Level
		cause   doctor.Cause
		message string
		next    string
	}{
		"good": {
			choice: doctor.StoreChoice{Choice: postgres, Source: "mode team", Place: "the address in DATABASE_URL", Schema: 7},
			level:  doctor.OK, message: "postgres at the address in DATABASE_URL (mode team), schema version 7",
		},
		"fresh": {
			choice: doctor.StoreChoice{Choice: store.Choice{Name: "sqlite", Asked: "sqlite"}, Source: "TUTTI_STORE", Place: "/d/tutti.db", Fresh: true},
			level:  doctor.OK, message: "sqlite at /d/tutti.db (TUTTI_STORE), made by the first command that needs it",
		},
		"standing in": {
			choice: doctor.StoreChoice{Choice: stands, Source: "mode team", Place: "/d/store"},
			level:  doctor.OK, message: "filesystem at /d/store (mode team) in place of postgres",
		},
		"about to fall back": {
			choice: doctor.StoreChoice{Choice: falls, Source: "mode team"},
			level:  doctor.Warning, message: "postgres cannot be had (mode team): DATABASE_URL is not set; the first command that needs the store falls back to filesystem",
			next: "DATABASE_URL",
		},
		"down": {
			choice: doctor.StoreChoice{Choice: postgres, Source: "mode team", Trouble: fmt.Errorf("no route: %w", store.ErrUnavailable)},
			level:  doctor.Problem, cause: doctor.Platform, message: "postgres (mode team): no route: store unavailable; runs go on", next: "DATABASE_URL",
		},
		"another schema": {
			none: fmt.Errorf("postgres: %w: 3", store.ErrSchema), level: doctor.Problem, cause: doctor.Configuration,
			message: "another schema version", next: "`tutti migrate`",
		},
		"wrong address": {
			none: fmt.Errorf("%w: no URL", store.ErrSettings), level: doctor.Problem, cause: doctor.Configuration,
			message: "no URL", next: "correct DATABASE_URL",
		},
		"unknown": {
			none: fmt.Errorf("%w: x", store.ErrUnknown), level: doctor.Problem, cause: doctor.Configuration, message: "unknown store", next: "store",
		},
		"no disk": {
			none: errors.New("no space"), level: doctor.Problem, cause: doctor.Platform, message: "no space", next: "data directory",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.store.choice, p.store.none = c.choice, c.none
			f := only(t, p.examine(t, doctor.Options{}), "store")
			require.Equal(t, c.level, f.Level)
			require.Equal(t, c.cause, f.Cause)
			require.Contains(t, f.Message, c.message)
			require.Contains(t, f.NextStep, c.next)
		})
	}
}

func fallenBack(trouble error) doctor.Fallback {
	return doctor.Fallback{Trouble: trouble, Fallback: store.Fallback{
		Replaces: "postgres", Store: "filesystem", Reason: "DATABASE_URL is not set", Since: now(),
	}}
}

func TestFallback(t *testing.T) {
	t.Parallel()
	stands := "the filesystem store stands in for postgres since 2026-03-01 (DATABASE_URL is not set)"
	for name, c := range map[string]struct {
		trouble, stuck error
		fix            bool
		level          doctor.Level
		message        string
		fixable, fixed bool
		cleared        [][]string
	}{
		"still broken":      {trouble: errors.New("no route"), level: doctor.Warning, message: stands + "; it still cannot be had: no route"},
		"fix waits for it":  {trouble: errors.New("no route"), fix: true, level: doctor.Warning, message: stands},
		"works again":       {level: doctor.Warning, message: stands + ", and postgres works again", fixable: true},
		"cleared":           {fix: true, level: doctor.OK, message: "cleared: postgres works again", fixable: true, fixed: true, cleared: [][]string{{"postgres"}}},
		"cannot be cleared": {fix: true, stuck: errors.New("read-only"), level: doctor.Problem, message: "read-only", cleared: [][]string{{"postgres"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.store.fallbacks, p.store.stuck = []doctor.Fallback{fallenBack(c.trouble)}, c.stuck
			report := p.examine(t, doctor.Options{Fix: c.fix})
			f := only(t, report, "store fallback")
			require.Equal(t, c.level, f.Level)
			require.Contains(t, f.Message, c.message)
			require.Equal(t, c.fixable, f.Fixable)
			require.Equal(t, c.fixed, f.Fixed)
			require.Equal(t, c.cleared, p.store.cleared)
			only(t, report, "store") // The choice is told all the same.
		})
	}
}

func TestFallbackBehindAnotherSchema(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.store.fallbacks = []doctor.Fallback{fallenBack(fmt.Errorf("%w: 0", store.ErrSchema))}
	f := only(t, p.examine(t, doctor.Options{Fix: true}), "store fallback")
	require.Contains(t, f.NextStep, "tutti migrate")
	require.Contains(t, f.NextStep, "then run `tutti doctor --fix`")
	require.Empty(t, p.store.cleared)
}

func TestDamagedFallbackFile(t *testing.T) {
	t.Parallel()
	damaged := fmt.Errorf("%w: line 1", store.ErrFallbackFile)

	p := healthy()
	p.store.unread = damaged
	report := p.examine(t, doctor.Options{})
	f := only(t, report, "store fallback")
	require.Equal(t, doctor.Configuration, f.Cause)
	require.True(t, f.Fixable)
	require.Empty(t, p.store.cleared)
	require.Empty(t, of(report, "store"), "every command refuses to choose")

	p = healthy()
	p.store.unread = damaged
	report = p.examine(t, doctor.Options{Fix: true})
	require.True(t, only(t, report, "store fallback").Fixed)
	require.Equal(t, [][]string{nil}, p.store.cleared)
	require.Equal(t, doctor.OK, only(t, report, "store").Level)

	p = healthy()
	p.store.unread, p.store.stuck = damaged, errors.New("read-only")
	f = only(t, p.examine(t, doctor.Options{Fix: true}), "store fallback")
	require.Contains(t, f.Message, "read-only")
	require.False(t, f.Fixed)
}

func TestUnreadableFallbackFile(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.store.unread = errors.New("permission denied")
	f := only(t, p.examine(t, doctor.Options{Fix: true}), "store fallback")
	require.Equal(t, doctor.Problem, f.Level)
	require.Empty(t, p.store.cleared, "what cannot be read may be in order")
}
