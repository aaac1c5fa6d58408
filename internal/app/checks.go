package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/run"
)

// ListedProvider is a provider as this process would call it, without its key.
type ListedProvider struct {
	Name    string `json:"name"`
	Dialect string `json:"dialect"`
	// BaseURL has neither credentials nor a query; empty where nobody is called.
	BaseURL string `json:"baseURL,omitempty"`
	// Configured says that the configuration names it; the others are built in.
	Configured bool `json:"configured"`
	// Key says where the key is and whether it can be had.
	Key ListedKey `json:"key"`
	// Concurrency is the number of calls in flight per worker, CallsPerSecond the
	// rate that all workers share; 0 means that none is configured.
	Concurrency    int     `json:"concurrency"`
	CallsPerSecond float64 `json:"callsPerSecond"`
	// Trouble is what is wrong with the provider's address, if anything.
	Trouble string `json:"trouble,omitempty"`
}

// ListedKey says of a key everything but its value.
type ListedKey struct {
	// Needed is false for a provider that is called without a key.
	Needed  bool   `json:"needed"`
	Present bool   `json:"present"`
	Source  string `json:"source,omitempty"`
	// Reason says why a needed key is not present.
	Reason string `json:"reason,omitempty"`
}

// ListProviders lists every provider, sorted by name. Keys are really read, as a
// worker would, and forgotten. The error is the context's own.
func (a *App) ListProviders(ctx context.Context) ([]ListedProvider, error) {
	definitions := a.Providers()
	all := make([]ListedProvider, 0, len(definitions))
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		listed, err := a.listed(ctx, definitions[name])
		if err != nil {
			return nil, err
		}
		all = append(all, listed)
	}
	return all, nil
}

func (a *App) listed(ctx context.Context, d provider.Definition) (ListedProvider, error) {
	c := a.Config.Provider(d.Name)
	_, configured := a.Config.Providers[d.Name]
	listed := ListedProvider{
		Name: d.Name, Dialect: d.Dialect, Configured: configured,
		Concurrency: c.Concurrency, CallsPerSecond: c.CallsPerSecond,
		Key: ListedKey{Needed: d.Key != provider.KeySource{}, Source: d.Key.Describe()},
	}
	_, err := d.Key.Resolve(ctx, d.Name, a.env.Lookup)
	var missing *provider.KeyMissingError
	switch {
	case errors.As(err, &missing):
		listed.Key.Reason = missing.Reason
	case err != nil:
		return ListedProvider{}, err
	default:
		listed.Key.Present = listed.Key.Needed
	}
	endpoint, err := d.Endpoint(a.env.Lookup, "")
	if err != nil {
		listed.Trouble = err.Error()
		return listed, nil
	}
	listed.BaseURL = withoutCredentials(endpoint.BaseURL)
	return listed, nil
}

// withoutCredentials is an address as it may be shown. One from a variable may
// hold a password, or a token in its query.
func withoutCredentials(base string) string {
	u, err := url.Parse(base)
	if err != nil || base == "" {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// CheckedProvider is what came of a check.
type CheckedProvider struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// Code, Class, Message and Remediation say what is wrong and what to do.
	Code        run.Code       `json:"code,omitempty"`
	Class       provider.Class `json:"class,omitempty"`
	Message     string         `json:"message"`
	Remediation string         `json:"remediation,omitempty"`
	KeySource   string         `json:"keySource,omitempty"`
	RequestID   string         `json:"requestId,omitempty"`
	ElapsedMS   int64          `json:"elapsedMs"`
}

// Checkable names the providers that are worth a check unasked: those whose key
// is there, and those that need none and were configured.
func (a *App) Checkable(ctx context.Context) ([]string, error) {
	all, err := a.ListProviders(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range all {
		if p.Key.Present || p.Configured && !p.Key.Needed {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// CheckProviders asks each provider, at the same time, whether it answers and
// takes its key, as cheaply as its dialect allows and without asking a model.
// The error is a *provider.UnknownProviderError or the context's own.
func (a *App) CheckProviders(ctx context.Context, names []string) ([]CheckedProvider, error) {
	definitions := a.Providers()
	for _, name := range names {
		if _, known := definitions[name]; !known {
			return nil, &provider.UnknownProviderError{Name: name, Known: slices.Sorted(maps.Keys(definitions))}
		}
	}
	var (
		checker = caller()
		checked = make([]CheckedProvider, len(names))
		failed  = make([]error, len(names))
		asking  sync.WaitGroup
	)
	for i, name := range names {
		asking.Go(func() { checked[i], failed[i] = a.check(ctx, checker, definitions[name]) })
	}
	asking.Wait()
	return checked, errors.Join(failed...)
}

func (a *App) check(ctx context.Context, checker provider.Checker, d provider.Definition) (CheckedProvider, error) {
	result := CheckedProvider{Name: d.Name, KeySource: d.Key.Describe()}
	key, err := d.Key.Resolve(ctx, d.Name, a.env.Lookup)
	var missing *provider.KeyMissingError
	if errors.As(err, &missing) {
		result.Code, result.Message, result.Remediation = run.CodeKeyMissing, missing.Error(), missing.Remediation()
		return result, nil
	}
	if err != nil {
		return result, err
	}
	endpoint, err := d.Endpoint(a.env.Lookup, key)
	if err != nil {
		result.Code, result.Message, result.Remediation = run.CodeModelUnresolved, err.Error(), "correct it where the worker runs"
		return result, nil
	}
	outcome, err := checker.Check(ctx, endpoint)
	if err != nil {
		return result, err
	}
	result.judge(outcome)
	return result, nil
}

// judge puts an outcome into words. No model was named, so a page that is not
// there says something of the address.
func (c *CheckedProvider) judge(o provider.Outcome) {
	c.RequestID, c.ElapsedMS = o.RequestID, o.Elapsed.Milliseconds()
	switch {
	case o.Class.Success():
		c.OK, c.Message = true, "answers"
		if c.KeySource != "" {
			c.Message = "answers and takes the key in " + c.KeySource
		}
		c.Message += " (" + o.Elapsed.Round(time.Millisecond).String() + ")"
		return
	case o.Class == provider.ModelNotFound, o.Status == http.StatusNotFound, o.Status == http.StatusMethodNotAllowed:
		c.Message = fmt.Sprintf("%s answers and lists no models below its base URL (status %d), so that its key was not tried", c.Name, o.Status)
		c.Remediation = "check the base URL of provider " + c.Name + ", most end in /v1; a server that has no list shows by a run whether it works"
	case o.Class == provider.BadRequest:
		c.Message, c.Remediation = o.Message(c.Name), "check the base URL of provider "+c.Name
	default:
		c.Message, c.Remediation = o.Message(c.Name), provider.Remediation(o.Class, c.Name, c.KeySource)
	}
	c.Code, c.Class = run.Code(o.Code()), o.Class
}
