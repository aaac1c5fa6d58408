package provider_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func keyFile(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func TestKeyIsRead(t *testing.T) {
	t.Parallel()
	vars := env(map[string]string{"ACME_KEY": " sk-1 \n"})
	for name, source := range map[string]provider.KeySource{
		"variable": {Env: "ACME_KEY"},
		"file":     {File: keyFile(t, "sk-1\n", 0o600)},
		"readonly": {File: keyFile(t, "sk-1", 0o400)},
		"command":  {Command: "echo noise >&2; printf 'sk-1\n'"},
	} {
		key, err := source.Resolve(t.Context(), "acme", vars)
		require.NoError(t, err, name)
		require.Equal(t, "sk-1", key, name)
	}
	key, err := provider.KeySource{}.Resolve(t.Context(), "acme", vars)
	require.NoError(t, err, "no source means that no key is needed")
	require.Empty(t, key)
}

func TestKeyIsMissing(t *testing.T) {
	t.Parallel()
	const secret = "sk-SECRET-1"
	vars := env(map[string]string{"EMPTY": " ", "LINES": secret + "\n" + secret, "UMLAUT": secret + "ä"})
	for _, c := range []struct {
		source provider.KeySource
		says   string
	}{
		{provider.KeySource{Env: "ABSENT"}, "ABSENT is not set"},
		{provider.KeySource{Env: "EMPTY"}, "EMPTY is empty"},
		{provider.KeySource{Env: "LINES"}, "LINES holds more than a key"},
		{provider.KeySource{Env: "UMLAUT"}, "UMLAUT holds more than a key"},
		{provider.KeySource{File: "/nonexistent/key"}, "the key file /nonexistent/key does not exist"},
		{provider.KeySource{File: t.TempDir()}, "is not a regular file"},
		{provider.KeySource{File: keyFile(t, secret, 0o640)}, "mode 0640"},
		{provider.KeySource{File: keyFile(t, secret, 0o604)}, "chmod 600"},
		{provider.KeySource{File: keyFile(t, strings.Repeat("k", 9000), 0o600)}, "too long"},
		{provider.KeySource{Command: "echo " + secret + " >&2; exit 3"}, "the key command failed"},
		{provider.KeySource{Command: "true"}, "the key command is empty"},
		{provider.KeySource{Command: "yes " + secret}, "wrote more than a key"},
	} {
		_, err := c.source.Resolve(t.Context(), "acme", vars)
		var missing *provider.KeyMissingError
		require.ErrorAs(t, err, &missing, c.says)
		require.ErrorContains(t, err, c.says)
		require.Equal(t, provider.CodeKeyMissing, missing.Code())
		require.Contains(t, missing.Remediation(), cmp.Or(c.source.Env, c.source.File, "keyCommand under providers.acme"))
		require.Contains(t, missing.Remediation(), "worker", "it says where")
		require.NotContains(t, err.Error()+missing.Remediation(), "SECRET")
	}
}

func TestKeyReadingIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := provider.KeySource{Command: "sleep 60"}.Resolve(ctx, "acme", env(nil))
	require.ErrorIs(t, err, context.Canceled)
}

// Whoever has no key, a bad one or no credit has another way, with its command.
func TestWithoutAUsableKeyTheHostBackendIsNamed(t *testing.T) {
	t.Parallel()
	missing := &provider.KeyMissingError{Provider: "openai", Key: provider.KeySource{Env: "K"}}
	for _, next := range []string{
		missing.Remediation(),
		provider.Remediation(provider.Auth, "openai", "K"), provider.Remediation(provider.Auth, "openai", ""),
		provider.Remediation(provider.InsufficientQuota, "openai", "K"), provider.Remediation(provider.InsufficientQuota, "openai", ""),
	} {
		require.Contains(t, next, "--backend host, then run `tutti host next`")
	}
}
