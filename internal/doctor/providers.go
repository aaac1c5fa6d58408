package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/tutti-dev/tutti/internal/provider"
)

// Providers are the model APIs as this process would call them.
type Providers interface {
	// Default says where a task goes that names no model. The error is a
	// *provider.NoModelError or *provider.UnknownProviderError.
	Default(ctx context.Context) (provider.Selection, error)
	Known(ctx context.Context) []Provider
}

// Provider is one of them, without its key.
type Provider struct {
	Name string
	// Configured says that the configuration names it; the others are built in.
	Configured bool
	// KeySource names where its key is, "" when it needs none.
	KeySource string
	// Trouble is why it cannot be called: a *provider.KeyMissingError, or an
	// address that is none.
	Trouble error
	// Local is its address when it runs on this machine, and Silent why it does
	// not answer there.
	Local  string
	Silent error
}

func (e examination) providers(ctx context.Context) []Finding {
	chosen, err := e.subject.Providers.Default(ctx)
	findings := []Finding{model(chosen, err)}
	for _, p := range e.subject.Providers.Known(ctx) {
		f := p.finding()
		// A provider that nobody asked for may be absent.
		if f.Level == Advice && (p.Configured || p.Name == chosen.Provider) {
			f.Level = Warning
		}
		findings = append(findings, f)
	}
	return findings
}

func model(chosen provider.Selection, err error) Finding {
	const check = "default model"
	var none *provider.NoModelError
	switch {
	case errors.As(err, &none):
		return Finding{Check: check, Level: Advice, Message: "no model is configured", NextStep: none.Remediation()}
	case err != nil:
		return Finding{Check: check, Level: Warning, Message: line(err), NextStep: remediation(err, "correct model: in the configuration")}
	}
	return fine(check, "%s of provider %s", chosen.Model, chosen.Provider)
}

func (p Provider) finding() Finding {
	check := "provider " + p.Name
	var missing *provider.KeyMissingError
	switch {
	case errors.As(p.Trouble, &missing):
		return Finding{
			Check: check, Level: Advice, Message: fmt.Sprintf("no key: %s %s", missing.Source, missing.Reason),
			NextStep: "mend that where the worker runs, if this provider is to be used",
		}
	case p.Trouble != nil:
		return Finding{Check: check, Level: Warning, Message: line(p.Trouble), NextStep: "correct it where the worker runs"}
	case p.Silent != nil:
		return Finding{
			Check: check, Level: Advice, Message: fmt.Sprintf("nothing answers at %s: %s", p.Local, line(p.Silent)),
			NextStep: "start it, if this provider is to be used",
		}
	}
	key := "needs no key"
	if p.KeySource != "" {
		key = "key present in " + p.KeySource
	}
	if p.Local != "" {
		key += ", answers at " + p.Local
	}
	return fine(check, "%s", key)
}

// remediation is the error's own next step, if it knows one.
func remediation(err error, otherwise string) string {
	var knows interface{ Remediation() string }
	if errors.As(err, &knows) {
		return knows.Remediation()
	}
	return otherwise
}
