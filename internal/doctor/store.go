package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/store"
)

const (
	checkStore    = "store"
	checkFallback = "store fallback"
)

// Store is the choice of the store. Looking changes nothing: no file is made and
// no fallback is written down.
type Store interface {
	// Fallbacks returns those that the data directory knows. The error is
	// store.ErrFallbackFile for a file that cannot be understood.
	Fallbacks(ctx context.Context) ([]Fallback, error)
	// Clear forgets the fallbacks of these stores; all of them, with a damaged
	// file, for none.
	Clear(replaced ...string) error
	// Choice says which store a command would use. The error is why there is none.
	Choice(ctx context.Context) (StoreChoice, error)
}

// Fallback is one store standing in for another.
type Fallback struct {
	store.Fallback
	// Trouble is why the replaced store cannot be had now; nil when it works again.
	Trouble error
}

// StoreChoice is the store that a command would use.
type StoreChoice struct {
	store.Choice
	// Source is who chose: a setting's place, or the mode.
	Source string
	// Place is where the store is, without any credential.
	Place string
	// Schema is the schema version that this binary works with.
	Schema int64
	// Fresh says that nothing is there yet; the first command that writes makes it.
	Fresh bool
	// Trouble is why the store cannot be used now, for a store that is chosen
	// all the same.
	Trouble error
}

// store looks at the fallbacks first, because clearing one changes the choice.
func (e examination) store(ctx context.Context) []Finding {
	findings, readable := e.fallbacks(ctx)
	if !readable {
		return findings
	}
	choice, err := e.subject.Store.Choice(ctx)
	if err != nil {
		return append(findings, trouble(checkStore, storeRefusal(err), storeNext(choice.Name, err)))
	}
	return append(findings, describe(choice))
}

func (e examination) fallbacks(ctx context.Context) (findings []Finding, readable bool) {
	known, err := e.subject.Store.Fallbacks(ctx)
	if errors.Is(err, store.ErrFallbackFile) {
		return e.damaged(err)
	}
	if err != nil {
		return []Finding{trouble(checkFallback, err, "see that the data directory can be read")}, false
	}
	for _, f := range known {
		findings = append(findings, e.fallback(f))
	}
	return findings, true
}

// damaged removes a file that nobody can read. What it said is found out anew
// by the next process that asks for the store.
func (e examination) damaged(err error) (findings []Finding, readable bool) {
	f := trouble(checkFallback, &RefusedError{Err: err}, "run `tutti doctor --fix`")
	f.Fixable = true
	if !e.fix {
		return []Finding{f}, false
	}
	if err := e.subject.Store.Clear(); err != nil {
		return []Finding{trouble(checkFallback, err, "remove the file "+store.FallbackFile+" from the data directory")}, false
	}
	f = fine(checkFallback, "removed the damaged file %s", store.FallbackFile)
	f.Fixable, f.Fixed = true, true
	return []Finding{f}, true
}

func (e examination) fallback(known Fallback) Finding {
	stands := fmt.Sprintf("the %s store stands in for %s since %s (%s)",
		known.Store, known.Replaces, known.Since.UTC().Format(time.DateOnly), clip(known.Reason))
	if known.Trouble != nil {
		return Finding{
			Check: checkFallback, Level: Warning,
			Message:  fmt.Sprintf("%s; it still cannot be had: %s", stands, line(known.Trouble)),
			NextStep: storeNext(known.Replaces, known.Trouble) + ", then run `tutti doctor --fix`",
		}
	}
	if !e.fix {
		return Finding{
			Check: checkFallback, Level: Warning, Fixable: true,
			Message:  fmt.Sprintf("%s, and %s works again", stands, known.Replaces),
			NextStep: "run `tutti doctor --fix`, then restart the workers of this data directory",
		}
	}
	if err := e.subject.Store.Clear(known.Replaces); err != nil {
		return trouble(checkFallback, err, "see that the data directory can be written")
	}
	f := fine(checkFallback, "cleared: %s works again and is used from now on; what the %s store holds stays there; restart the workers of this data directory",
		known.Replaces, known.Store)
	f.Fixable, f.Fixed = true, true
	return f
}

// describe tells a choice that was made.
func describe(c StoreChoice) Finding {
	which := fmt.Sprintf("%s (%s)", c.Name, c.Source)
	if c.Place != "" {
		which = fmt.Sprintf("%s at %s (%s)", c.Name, c.Place, c.Source)
	}
	switch {
	case c.Trouble != nil:
		return trouble(checkStore, fmt.Errorf("%s: %w; runs go on, and lists come from Temporal until it is back", which, c.Trouble),
			storeNext(c.Name, c.Trouble))
	case c.Fallback != nil:
		return Finding{
			Check: checkStore, Level: Warning,
			Message: fmt.Sprintf("%s cannot be had (%s): %s; the first command that needs the store falls back to %s",
				c.Asked, c.Source, clip(c.Fallback.Reason), c.Name),
			NextStep: mend(c.Asked),
		}
	case c.Name != c.Asked:
		return fine(checkStore, "%s in place of %s", which, c.Asked)
	case c.Fresh:
		return fine(checkStore, "%s, made by the first command that needs it", which)
	}
	return fine(checkStore, "%s, schema version %d", which, c.Schema)
}

// storeRefusal marks what fails the same way again.
func storeRefusal(err error) error {
	for _, target := range []error{store.ErrSchema, store.ErrSettings, store.ErrUnknown} {
		if errors.Is(err, target) {
			return &RefusedError{Err: err}
		}
	}
	return err
}

// storeNext is what to do about a store that cannot be used.
func storeNext(name string, err error) string {
	switch {
	case errors.Is(err, store.ErrSchema):
		return SchemaStep(err)
	case errors.Is(err, store.ErrSettings):
		return "correct DATABASE_URL"
	case errors.Is(err, store.ErrUnknown):
		return "correct the store setting"
	}
	return mend(name)
}

// SchemaStep is what to do about a store.ErrSchema. Only the adapters see which
// side is the newer one; their words say it, and a migration goes one way only.
func SchemaStep(err error) string {
	words := err.Error()
	switch {
	case strings.Contains(words, "use the newer tutti"):
		return "`tutti version` says which one this is; a store is never brought back to an older schema"
	case strings.Contains(words, "choose another"):
		return "see `tutti doctor`"
	}
	return "run `tutti migrate`"
}

func mend(name string) string {
	if name == store.NamePostgres {
		return "start the database and see that DATABASE_URL names it, or choose another store with TUTTI_STORE"
	}
	return "see that the data directory can be used, or choose another store with TUTTI_STORE"
}
