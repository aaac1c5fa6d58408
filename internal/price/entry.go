package price

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/tutti-dev/tutti/internal/canonical"
	"github.com/tutti-dev/tutti/internal/run"
)

// Entry is one line of a file of prices. Amounts are US dollars per million
// tokens, in decimals without needless zeros; an empty one is like the whole it
// is a part of: cached and cache-write like input, reasoning like output.
type Entry struct {
	Provider   string
	Model      string // a name, or a beginning and a star
	Input      string
	Cached     string
	CacheWrite string
	Output     string
	Reasoning  string
	// AsOf is the day, as 2006-01-02, on which Source said so.
	AsOf   string
	Source string
}

func (e *Entry) beginning() (string, bool) { return strings.CutSuffix(e.Model, "*") }

func (e *Entry) covers(model string) bool {
	if prefix, open := e.beginning(); open {
		return strings.HasPrefix(model, prefix)
	}
	return e.Model == model
}

// closerThan says whether the entry describes a model that both cover more closely.
func (e *Entry) closerThan(other *Entry) bool {
	mine, open := e.beginning()
	theirs, otherOpen := other.beginning()
	if open != otherOpen {
		return otherOpen
	}
	return len(mine) > len(theirs)
}

// pin is the price of one model by its full name. The name goes into the
// digest, so that every model's price is a row of its own.
func (e *Entry) pin(model string) run.Price {
	p := run.Price{
		Input: e.Input, Cached: e.Cached, CacheWrite: e.CacheWrite,
		Output: e.Output, Reasoning: e.Reasoning,
	}
	p.ID = e.Provider + "/" + model + "@" + digest(e.Provider, model, p)
	return p
}

func digest(provider, model string, p run.Price) string {
	// Strings in a map always encode.
	raw, _ := canonical.JSON(map[string]any{
		"provider": provider, "model": model, "input": p.Input, "cached": p.Cached,
		"cacheWrite": p.CacheWrite, "output": p.Output, "reasoning": p.Reasoning,
	})
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])[:12]
}
