package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

func testGuard() provider.Guard {
	return provider.NewGuard(
		provider.Endpoint{APIKey: "sk-test-SECRET-abcdef", Headers: map[string]string{"X-Extra": "hunter2-token"}},
		provider.Request{Model: "acme/model-1", System: "You review code.", User: "Summarise QuarterlyFigures and invalid_request_error."},
	)
}

func TestGuardToken(t *testing.T) {
	t.Parallel()
	g := testGuard()
	for _, pass := range []string{
		"rate_limit_exceeded", "invalid_request_error", "DeploymentNotFound", "permission-denied", "429", "1300",
		"Throttling.RateQuota", "RESOURCE_EXHAUSTED", "project_spend_limit_exceeded", "account_deactivated", "tokens", "content_filter", "end_turn",
	} {
		require.Equal(t, pass, g.Token(pass))
	}
	for _, stop := range []string{
		"", "Some resource has been exhausted", "sk-test-SECRET-abcdef", "SECRET-abc", "hunter2-token", "hunter2-tok",
		"org-fake", "org_fake1", "user_77", "team-x", "proj_abc", "key_abc", "gpu-7.internal", "a.b", "00000000-fake-team",
		"fakehash0123456789", "QuarterlyFigures", "x\ny", "<b>", "bearer", "eyJhbGciOiJIUzI1NiJ9", "1234567", "-1", "-", "_x", "x-",
		strings.Repeat("a", 65), "was_sk-live-x",
	} {
		require.Empty(t, g.Token(stop), stop)
	}
}

func TestGuardIDAndModel(t *testing.T) {
	t.Parallel()
	g := testGuard()
	for _, pass := range []string{"req_011CSHoEeqs5C35K2UUqR7Fy", "9f2c1a4e-0000-4000-8000-123456789abc", "chatcmpl-1.2:3"} {
		require.Equal(t, pass, g.ID(pass))
	}
	for _, stop := range []string{"", "has space", "sk-test-SECRET-abcdef", "req_SECRET-abcdef", strings.Repeat("a", 129), "user_1", "a/b", "-x"} {
		require.Empty(t, g.ID(stop), stop)
	}
	require.Equal(t, "acme/model-1", g.Model("acme/model-1"))
	require.Equal(t, "org/name-4.5:free@x+y", g.Model("org/name-4.5:free@x+y"))
	require.Empty(t, g.Model("sk-test-SECRET-abcdef"))
	require.Empty(t, g.Model("a model"))
}

func TestGuardWithAShortSecret(t *testing.T) {
	t.Parallel()
	g := provider.NewGuard(provider.Endpoint{APIKey: "abc"}, provider.Request{})
	require.Empty(t, g.Token("abc"))
	require.Equal(t, "abcd_error", g.Token("abcd_error"), "three letters are no leak inside another word")
	none := provider.NewGuard(provider.Endpoint{}, provider.Request{})
	require.Equal(t, "some_error", none.Token("some_error"))
}
