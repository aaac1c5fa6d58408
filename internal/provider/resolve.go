package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Query is what a task asks for; either may be empty.
type Query struct {
	// Model is a name, an alias, or a name with a provider's prefix.
	Model string
	// Provider is an explicit choice.
	Provider string
}

// Presence is what resolution knows of a configured provider.
type Presence struct {
	// HasKey says that its key can be had, or that it needs none.
	HasKey bool
}

// Known is what is configured.
type Known struct {
	Providers map[string]Presence
	// Aliases map a short name to a model; they are applied once, first.
	Aliases map[string]string
}

// Selection is a provider and the model to send to it.
type Selection struct {
	Provider string
	Model    string
}

// NoModelError says that nothing named a model.
type NoModelError struct{}

// Error implements error.
func (*NoModelError) Error() string { return "no model is chosen" }

// Code is the error code.
func (*NoModelError) Code() string { return CodeModelUnresolved }

// Remediation is the next step.
func (*NoModelError) Remediation() string {
	return "name one with --model, in the specialist, or as model: in the configuration; demo/echo needs no key"
}

// UnknownProviderError says that a provider was chosen that is not configured.
type UnknownProviderError struct {
	Name  string
	Known []string
}

// Error implements error.
func (e *UnknownProviderError) Error() string { return fmt.Sprintf("unknown provider %q", e.Name) }

// Code is the error code.
func (*UnknownProviderError) Code() string { return CodeModelUnresolved }

// Remediation is the next step.
func (e *UnknownProviderError) Remediation() string {
	return "choose one of " + strings.Join(e.Known, ", ") + ", or add it under providers: in the configuration"
}

// The providers that names lead to without being named themselves.
const (
	nameOpenAI     = "openai"
	nameAnthropic  = "anthropic"
	nameOpenRouter = "openrouter"
)

// Resolve finds the provider of a model and the name to send. In order: the
// explicit provider; the prefix of a configured provider, which is removed; a name
// with claude → anthropic; gpt-… and o<digit>… → openai when it has a key; else
// openrouter.
func Resolve(q Query, known Known) (Selection, error) {
	model := strings.TrimSpace(q.Model)
	if target, ok := known.Aliases[model]; ok {
		model = strings.TrimSpace(target)
	}
	if model == "" {
		return Selection{}, &NoModelError{}
	}
	name := strings.TrimSpace(q.Provider)
	if prefix, rest, prefixed := known.cutPrefix(model); prefixed && (name == "" || name == prefix) {
		name, model = prefix, rest
	}
	if name == "" {
		name = providerOf(model, known)
	}
	if _, configured := known.Providers[name]; !configured {
		return Selection{}, &UnknownProviderError{Name: name, Known: slices.Sorted(maps.Keys(known.Providers))}
	}
	return Selection{Provider: name, Model: nameFor(name, model)}, nil
}

// Names says whether a model's name, or what it is an alias of, begins with the
// prefix of a configured provider.
func (k Known) Names(model string) bool {
	model = strings.TrimSpace(model)
	if target, ok := k.Aliases[model]; ok {
		model = strings.TrimSpace(target)
	}
	_, _, prefixed := k.cutPrefix(model)
	return prefixed
}

func (k Known) cutPrefix(model string) (prefix, rest string, found bool) {
	prefix, rest, found = strings.Cut(model, "/")
	_, configured := k.Providers[prefix]
	return prefix, rest, found && configured && rest != ""
}

// providerOf finds the provider by the model's own name.
func providerOf(model string, known Known) string {
	switch {
	case strings.Contains(strings.ToLower(model), "claude"):
		return nameAnthropic
	case isOpenAIName(model) && known.Providers[nameOpenAI].HasKey:
		return nameOpenAI
	}
	return nameOpenRouter
}

// isOpenAIName recognises gpt-… and o<digit>….
func isOpenAIName(model string) bool {
	lower := strings.ToLower(model)
	return strings.HasPrefix(lower, "gpt-") || len(lower) > 1 && lower[0] == 'o' && lower[1] >= '0' && lower[1] <= '9'
}
