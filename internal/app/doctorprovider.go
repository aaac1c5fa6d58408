package app

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/provider"
)

// loopbackTimeout is plenty for this machine to say whether somebody listens.
const loopbackTimeout = 500 * time.Millisecond

// examinedProviders implements doctor.Providers. No model is asked anything.
type examinedProviders struct{ app *App }

// Default implements doctor.Providers.
func (e examinedProviders) Default(ctx context.Context) (provider.Selection, error) {
	return provider.Resolve(provider.Query{Model: e.app.Config.Model}, e.app.presence(ctx))
}

// Known implements doctor.Providers. Keys are really read, as a worker would,
// and forgotten.
func (e examinedProviders) Known(ctx context.Context) []doctor.Provider {
	definitions := e.app.Providers()
	known := make([]doctor.Provider, 0, len(definitions))
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		known = append(known, e.look(ctx, definitions[name]))
	}
	return known
}

func (e examinedProviders) look(ctx context.Context, d provider.Definition) doctor.Provider {
	_, configured := e.app.Config.Providers[d.Name]
	p := doctor.Provider{Name: d.Name, Configured: configured, KeySource: d.Key.Describe()}
	endpoint, err := d.Endpoint(e.app.env.Lookup, "")
	if err != nil {
		p.Trouble = err
		return p
	}
	if _, p.Trouble = d.Key.Resolve(ctx, d.Name, e.app.env.Lookup); p.Trouble != nil {
		return p
	}
	if address, ok := loopback(endpoint.BaseURL); ok {
		p.Local, p.Silent = address, listens(ctx, address)
	}
	return p
}

// loopback returns host and port of an address on this machine.
func loopback(base string) (string, bool) {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return "", false
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && !ip.IsLoopback() {
		return "", false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port), true
}

// listens says why nobody can be reached at an address.
func listens(ctx context.Context, address string) error {
	dialer := net.Dialer{Timeout: loopbackTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	var refused *net.OpError
	if errors.As(err, &refused) {
		return refused.Err // Without the address, which the reader knows.
	}
	if err != nil {
		return err
	}
	return conn.Close()
}
