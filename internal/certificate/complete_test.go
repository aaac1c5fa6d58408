package certificate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every scenario has one row, or is pending and has none; no other row is there.
func TestEveryScenarioIsThereOnce(t *testing.T) {
	t.Parallel()
	var found []string
	for _, s := range slices.Concat(crashes, hosts, promises) {
		found = append(found, s.ID)
		require.NotEmpty(t, s.Done, s.ID)
		require.NotEmpty(t, s.Expected, s.ID)
		require.NotEmpty(t, s.Tests, s.ID)
		for _, tests := range s.Tests {
			require.NotEmpty(t, tests.Names, s.ID)
		}
	}
	require.ElementsMatch(t, ids, append(found, pending...), "each number of ids has a row or is pending, and nothing else is")
	for _, id := range ids {
		require.Regexp(t, `^(C([1-9]|1[0-3])[ab]?|H([1-9]|1[01])|T[1-7]|V1|X1|B1|F[1-9])$`, id)
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(ids))), 13+2+11+7+1+1+1+4, "C1–C13 with C1b, C2a and C2b, H1–H11, T1–T7, V1, X1, B1, F1–F4")
}

func TestTheQuickPartIsAPart(t *testing.T) {
	t.Parallel()
	quick, err := Select(Selection{Quick: true})
	require.NoError(t, err)
	all, err := Select(Selection{})
	require.NoError(t, err)
	require.Len(t, all, len(ids))
	require.NotEmpty(t, quick)
	require.Less(t, len(quick), len(all))
	some, err := Select(Selection{Only: []string{"T1", "C2a"}})
	require.NoError(t, err)
	require.Equal(t, []string{"C2a", "T1"}, []string{some[0].ID, some[1].ID}, "in the order of the certificate")
}

// functions are a package's functions and methods by their names. Two of one name are one here, which can
// only find more calls, not fewer.
type functions map[string][]*ast.FuncDecl

func parsed(t *testing.T, folder string) functions {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "there is no package %s", folder)
	found := functions{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		syntax, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range syntax.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				found[f.Name.Name] = append(found[f.Name.Name], f)
			}
		}
	}
	return found
}

// calls says whether a function calls testenv.Seen, itself or in a function of the packages that it
// calls.
func (f functions) calls(name string, visited map[string]bool) (seen bool) {
	if visited[name] {
		return false
	}
	visited[name] = true
	for _, function := range f[name] {
		ast.Inspect(function, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.SelectorExpr:
				from, ok := n.X.(*ast.Ident)
				seen = seen || ok && from.Name == "testenv" && n.Sel.Name == "Seen" || f.calls(n.Sel.Name, visited)
			case *ast.Ident:
				seen = seen || f.calls(n.Name, visited)
			}
			return !seen
		})
	}
	return seen
}

// suites are packages whose functions the tests of other packages call.
var suites = map[string]string{"internal/store/postgres": "internal/store/storetest"}

// A wrong name would leave a scenario unproved until somebody runs the certificate; a test that records
// nothing leaves its cell empty.
func TestEveryNamedTestExistsAndSaysWhatItSaw(t *testing.T) {
	t.Parallel()
	packages := byPackage(catalogue())
	require.NotEmpty(t, packages)
	for _, tests := range packages {
		found := parsed(t, tests.Package)
		for _, name := range tests.Names {
			require.True(t, strings.HasPrefix(name, "Test"), name)
			require.Len(t, found[name], 1, "%s has a test named %s", tests.Package, name)
			require.Nil(t, found[name][0].Recv, name)
		}
		if suite := suites[tests.Package]; suite != "" {
			for name, f := range parsed(t, suite) {
				found[name] = append(found[name], f...)
			}
		}
		for _, name := range tests.Names {
			require.True(t, found.calls(name, map[string]bool{}), "%s of %s calls testenv.Seen", name, tests.Package)
		}
	}
}
