package plan

import (
	"errors"

	"github.com/tutti-dev/tutti/internal/chain"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/specialist"
)

// Maker makes plans from what is defined and configured.
type Maker struct {
	Specialists *specialist.Catalogue
	Chains      *chain.Library
	Providers   provider.Known
	// Backend and Model are what the configuration says, Default what holds when
	// nothing does.
	Backend, Default run.Backend
	Model            string
	// Budget holds the caps of a run whose wish names none, each by itself.
	Budget run.Budget
	// Terms returns what holds for calls to a provider.
	Terms func(provider string) Terms
	// Prices is nil where nothing has a price.
	Prices Prices
	// HostTimeoutMS bounds the wait for a host; 0 means that it may last for weeks.
	HostTimeoutMS int64
}

// Terms are what the configuration says of calls to one provider.
type Terms struct {
	Limits run.Limits
	// Queue is the provider's own task queue, empty where it has none.
	Queue string
	// MaxTokens bounds an answer for specialists that set no bound; 0 sets none.
	MaxTokens int
}

// Prices knows what models cost.
type Prices interface {
	// For returns the price of a model, and false for a model without one, which
	// is not the same as a model that costs nothing.
	For(provider, model string) (run.Price, bool)
}

// Made is a wish that can be started.
type Made struct {
	Input history.RunInput
	// Asked is the digest of the wish.
	Asked string
	// Keep holds the texts that have to be in the content store before the start,
	// by digest.
	Keep map[string]string
	// Notices are for the user before anything happens.
	Notices []string
}

// Make resolves a wish. The error is a *Refusal, or what a store of definitions
// said.
func (m *Maker) Make(w Wish) (Made, error) {
	if err := w.check(); err != nil {
		return Made{}, err
	}
	asked, err := w.Digest()
	if err != nil {
		return Made{}, err
	}
	p, notices, err := m.Plan(w)
	if err != nil {
		return Made{}, err
	}
	made := Made{Asked: asked, Notices: notices}
	made.Input, made.Keep = travel(w, p)
	return made, nil
}

// Plan resolves the chain, the specialists and the backends of a wish.
func (m *Maker) Plan(w Wish) (run.Plan, []string, error) {
	c, rationale, err := m.chain(w)
	if err != nil {
		return run.Plan{}, nil, err
	}
	p := run.Plan{PromptFormat: specialist.PromptFormat, Rationale: rationale, Budget: m.budget(w.Budget), HostTimeoutMS: m.HostTimeoutMS}
	if p.Chain, err = m.version(c); err != nil {
		return run.Plan{}, nil, err
	}
	r := resolver{maker: m, wish: w, chain: c, plan: &p}
	if err := r.tasks(); err != nil {
		return run.Plan{}, nil, err
	}
	return p, r.notices, nil
}

func (m *Maker) chain(w Wish) (chain.Chain, string, error) {
	name, rationale := w.Chain, ""
	if name == "" {
		name, rationale = chain.Plan(w.Request, names(w.Attachments))
	}
	c, err := m.Chains.Resolve(name, func(name string) error {
		_, err := m.Specialists.Get(name)
		return err
	})
	if err == nil {
		return c, rationale, nil
	}
	code := run.CodeChainInvalid
	if errors.Is(err, specialist.ErrNotFound) {
		code = run.CodeSpecialist
	}
	return chain.Chain{}, "", &Refusal{Code: code, Message: err.Error(), Err: err}
}

func (m *Maker) version(c chain.Chain) (run.ChainRef, error) {
	v, err := chain.Version(c, func(name string) (string, error) {
		s, err := m.Specialists.Get(name)
		return s.Version, err
	})
	return run.ChainRef{Name: c.Name, Version: v}, err
}

func names(attachments []Attachment) []string {
	list := make([]string, 0, len(attachments))
	for _, a := range attachments {
		list = append(list, a.Name)
	}
	return list
}
