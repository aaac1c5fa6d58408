package provider_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/provider"
)

// classTruth repeats the specification independently of the code's table.
var classTruth = []struct {
	class     provider.Class
	code      string
	transient bool
}{
	{"ok", "", false},
	{"truncated", "", false},
	{"empty_content", "PROVIDER_EMPTY_CONTENT", false},
	{"reasoning_only", "PROVIDER_REASONING_ONLY", false},
	{"refusal", "PROVIDER_CONTENT_FILTERED", false},
	{"content_filtered", "PROVIDER_CONTENT_FILTERED", false},
	{"tool_calls_only", "PROVIDER_EMPTY_CONTENT", false},
	{"paused", "PROVIDER_EMPTY_CONTENT", false},
	{"malformed_body", "PROVIDER_MALFORMED_RESPONSE", false},
	{"response_too_large", "PROVIDER_MALFORMED_RESPONSE", false},
	{"auth", "PROVIDER_AUTH_ERROR", false},
	{"insufficient_quota", "PROVIDER_NO_CREDITS", false},
	{"rate_limited", "PROVIDER_RATE_LIMITED", true},
	{"overloaded", "PROVIDER_SERVER_ERROR", true},
	{"server_error", "PROVIDER_SERVER_ERROR", true},
	{"timeout", "PROVIDER_TIMEOUT", true},
	{"connection_reset", "PROVIDER_SERVER_ERROR", true},
	{"context_length_exceeded", "PROVIDER_EXECUTION_FAILED", false},
	{"request_too_large", "PROVIDER_EXECUTION_FAILED", false},
	{"model_not_found", "PROVIDER_EXECUTION_FAILED", false},
	{"bad_request", "PROVIDER_EXECUTION_FAILED", false},
}

func TestClassTable(t *testing.T) {
	t.Parallel()
	require.Len(t, provider.Classes(), len(classTruth))
	for i, want := range classTruth {
		require.Equal(t, want.class, provider.Classes()[i])
		require.Equal(t, want.code, want.class.Code(), want.class)
		require.Equal(t, want.transient, want.class.Transient(), want.class)
		require.Equal(t, want.code == "", want.class.Success(), want.class)
	}
}

// TestEveryDeclaredClassIsInTheTable reads the source, so that a class that is
// declared and not listed fails here.
func TestEveryDeclaredClassIsInTheTable(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "class.go", nil, 0)
	require.NoError(t, err)
	listed := map[provider.Class]bool{}
	for _, c := range provider.Classes() {
		listed[c] = true
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Class" {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		require.True(t, listed[provider.Class(value)], "class %q has no row", value)
		declared++
		return true
	})
	require.Equal(t, len(classTruth), declared)
}

func TestUnknownClassIsNotRetried(t *testing.T) {
	t.Parallel()
	c := provider.Class("nonsense")
	require.False(t, c.Transient())
	require.False(t, c.Success())
	require.Equal(t, provider.CodeExecutionFailed, c.Code())
}

func TestEveryFailureHasMessageAndRemediation(t *testing.T) {
	t.Parallel()
	for _, c := range provider.Classes() {
		out := provider.Outcome{Class: c, Status: 418}
		require.NotEmpty(t, out.Message("acme"), c)
		require.LessOrEqual(t, len(out.Message("acme")), provider.MaxMessageBytes, c)
		if c.Success() {
			require.Empty(t, provider.Remediation(c, "acme", "ACME_KEY"), c)
			continue
		}
		require.NotEmpty(t, provider.Remediation(c, "acme", "ACME_KEY"), c)
	}
}
