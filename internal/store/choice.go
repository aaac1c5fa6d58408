package store

import "time"

// Request is what the choice of a store depends on.
type Request struct {
	// Chosen is the configured store, "" for none; the mode then decides.
	Chosen string
	// Mode is solo, team or enterprise.
	Mode string
	// DatabaseURLSet says that there is an address for Postgres.
	DatabaseURLSet bool
	// DataDir is the data directory in which fallbacks are written down.
	DataDir string
	// Fallbacks are those that stand in the data directory.
	Fallbacks Fallbacks
}

// Choice is the store to use.
type Choice struct {
	// Name is the store to use, Asked the one that was asked for.
	Name, Asked string
	// Warning is one line for people, "" when all is as it was asked for.
	Warning string
	// Fallback is a new fallback, which the data directory does not know yet.
	// Choose writes it down.
	Fallback *Fallback
}

// Choose resolves the store of a data directory and writes a new fallback down
// there. Of processes that fall back at once, the first one writes and the
// others follow. req.Fallbacks is read from the directory.
func Choose(req Request, now time.Time, open func(name string) error) (Choice, error) {
	known, err := ReadFallbacks(req.DataDir)
	if err != nil {
		return Choice{}, err
	}
	req.Fallbacks = known
	choice, err := Resolve(req, open)
	if err != nil || choice.Fallback == nil {
		return choice, err
	}
	choice.Fallback.Since = now.UTC()
	written, err := WriteFallback(req.DataDir, *choice.Fallback)
	if err != nil {
		return Choice{}, err
	}
	choice.Fallback, choice.Warning = &written, written.warning()
	return choice, nil
}
