package run

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declaredCodes reads the constants of type Code from the source, so that none
// can be added without being explained.
func declaredCodes(t *testing.T) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "failure.go", nil, 0)
	require.NoError(t, err)
	var codes []Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		for _, value := range spec.Values {
			literal, ok := value.(*ast.BasicLit)
			require.True(t, ok, "%s is no literal", spec.Names[0].Name)
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			codes = append(codes, Code(text))
		}
		return true
	})
	return codes
}

func TestEveryCodeIsExplainedOnce(t *testing.T) {
	t.Parallel()
	declared := declaredCodes(t)
	require.Greater(t, len(declared), 30, "the source was read")
	var explained []Code
	for _, info := range Codes() {
		explained = append(explained, info.Code)
		require.NotEmpty(t, info.When, info.Code)
		require.NotEmpty(t, info.Do, info.Code)
		require.Contains(t, []CodePlace{OnTask, OnRun, OnAnswer}, info.On, info.Code)
		require.NotContains(t, info.When+info.Do, "|", "it would break a table")
		require.False(t, strings.HasSuffix(info.When, "."), "a part of a sentence: %s", info.Code)
		found, ok := InfoOf(info.Code)
		require.True(t, ok)
		require.Equal(t, info, found)
	}
	require.ElementsMatch(t, declared, explained)
	_, known := InfoOf("NO_SUCH_CODE")
	require.False(t, known)
}

// What the domain hands to a fallback model is retried before.
func TestTransientCodesAreRetried(t *testing.T) {
	t.Parallel()
	for _, info := range Codes() {
		if isTransient(info.Code) {
			require.True(t, info.Retried, info.Code)
		}
	}
}
