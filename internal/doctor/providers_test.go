package doctor_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/provider"
)

func TestProviders(t *testing.T) {
	t.Parallel()
	noKey := &provider.KeyMissingError{Provider: "x", Source: "X_KEY", Reason: "is not set"}
	loose := &provider.KeyMissingError{Provider: "x", Source: "the key file /k", Reason: "can be used by others (mode 0644); run chmod 600 on it"}
	for name, c := range map[string]struct {
		provider doctor.Provider
		chosen   string
		level    doctor.Level
		message  string
	}{
		"key":            {doctor.Provider{KeySource: "X_KEY"}, "", doctor.OK, "key present in X_KEY"},
		"no key needed":  {doctor.Provider{}, "", doctor.OK, "needs no key"},
		"here":           {doctor.Provider{Local: "127.0.0.1:1"}, "", doctor.OK, "needs no key, answers at 127.0.0.1:1"},
		"here with key":  {doctor.Provider{KeySource: "X_KEY", Local: "127.0.0.1:1"}, "", doctor.OK, "key present in X_KEY, answers at 127.0.0.1:1"},
		"not asked for":  {doctor.Provider{KeySource: "X_KEY", Trouble: noKey}, "", doctor.Advice, "no key: X_KEY is not set"},
		"configured":     {doctor.Provider{KeySource: "X_KEY", Trouble: noKey, Configured: true}, "", doctor.Warning, "X_KEY is not set"},
		"chosen":         {doctor.Provider{KeySource: "X_KEY", Trouble: noKey}, "x", doctor.Warning, "X_KEY is not set"},
		"loose key file": {doctor.Provider{KeySource: "the key file /k", Trouble: loose, Configured: true}, "", doctor.Warning, "the key file /k can be used by others (mode 0644)"},
		"bad address":    {doctor.Provider{Trouble: errors.New("X_URL is no URL")}, "", doctor.Warning, "X_URL is no URL"},
		"silent":         {doctor.Provider{Local: "127.0.0.1:1", Silent: errors.New("refused")}, "", doctor.Advice, "nothing answers at 127.0.0.1:1: refused"},
		"silent, chosen": {doctor.Provider{Local: "127.0.0.1:1", Silent: errors.New("refused")}, "x", doctor.Warning, "nothing answers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			c.provider.Name = "x"
			p.providers.known = []doctor.Provider{c.provider}
			p.providers.chosen = provider.Selection{Provider: c.chosen, Model: "m"}
			report := p.examine(t, doctor.Options{})
			f := only(t, report, "provider x")
			require.Equal(t, c.level, f.Level)
			require.Contains(t, f.Message, c.message)
			require.Equal(t, doctor.Healthy, report.Outcome(), "a provider may be absent")
		})
	}
}

func TestDefaultModel(t *testing.T) {
	t.Parallel()
	p := healthy()
	require.Equal(t, "echo of provider demo", only(t, p.examine(t, doctor.Options{}), "default model").Message)

	p.providers.none = &provider.NoModelError{}
	f := only(t, p.examine(t, doctor.Options{}), "default model")
	require.Equal(t, doctor.Advice, f.Level)
	require.Contains(t, f.NextStep, "--model")

	p.providers.none = &provider.UnknownProviderError{Name: "nobody", Known: []string{"demo"}}
	f = only(t, p.examine(t, doctor.Options{}), "default model")
	require.Equal(t, doctor.Warning, f.Level)
	require.Contains(t, f.Message, `unknown provider "nobody"`)
	require.Contains(t, f.NextStep, "demo")
}
