package archtest

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository is the module's folder, seen from this package's.
const repository = "../.."

func TestTheSourceKeepsEveryRule(t *testing.T) {
	t.Parallel()
	tree := load(t, repository)
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			report := rule.Check(tree)
			require.NotZero(t, report.Visited, "the rule looked at no file, so it proves nothing")
			for _, violation := range report.Violations {
				t.Error(violation)
			}
			if t.Failed() {
				t.Logf("Why: %s", rule.Why)
			}
		})
	}
}

// want marks a line of a fixture that the rule must reject; twice, where it must do so twice.
const want = "[want]"

func TestEveryRuleRejectsItsFixture(t *testing.T) {
	t.Parallel()
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			tree := load(t, path.Join("testdata", rule.Name))
			expected := marked(tree)
			require.NotEmpty(t, expected, "the fixture has no violation")

			var found []Violation
			for _, violation := range rule.Check(tree).Violations {
				require.NotEmpty(t, violation.What)
				found = append(found, Violation{Path: violation.Path, Line: violation.Line})
			}
			require.ElementsMatch(t, expected, found)
		})
	}
}

func TestEveryFixtureHasARule(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	var fixtures, rules []string
	for _, entry := range entries {
		fixtures = append(fixtures, entry.Name())
	}
	for _, rule := range Rules() {
		rules = append(rules, rule.Name)
		require.Greaterf(t, len(rule.Why), 40, "rule %s has no reason worth the name", rule.Name)
	}
	require.ElementsMatch(t, rules, fixtures)
}

// TestNoFileIsOverlooked counts the module's Go files in another way than Load does.
func TestNoFileIsOverlooked(t *testing.T) {
	t.Parallel()
	tree := load(t, repository)
	for _, folder := range []string{"cmd", "workflows", "activities", "internal", "deploy"} {
		var expected, visited []string
		err := fs.WalkDir(os.DirFS(repository), folder, func(name string, _ fs.DirEntry, err error) error {
			if path.Ext(name) == ".go" && !strings.Contains(name, "/testdata/") {
				expected = append(expected, name)
			}
			return err
		})
		require.NoError(t, err)
		for _, file := range tree.Files {
			if strings.HasPrefix(file.Path, folder+"/") {
				visited = append(visited, file.Path)
			}
		}
		require.NotEmpty(t, expected)
		require.ElementsMatch(t, expected, visited)
	}
}

func TestModulePathIsTheModules(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(path.Join(repository, "go.mod"))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^module `+modulePath+`$`, string(content))
}

// TestArrowsPointDown holds the table to itself: what a line imports stands below that line.
func TestArrowsPointDown(t *testing.T) {
	t.Parallel()
	for above, from := range places {
		require.Equal(t, above, indexOf(from.Package), "%s stands twice in the table", from.Package)
		for _, target := range from.Imports {
			if target == everything || strings.HasSuffix(target, "/...") {
				continue
			}
			require.Greaterf(t, indexOf(target), above, "%s may import %s, which does not stand below it", from.Package, target)
		}
	}
	for _, special := range slices.Concat(adapters, testSupport) {
		require.NotEqual(t, -1, indexOf(special), special)
	}
}

func indexOf(pkg string) int {
	return slices.IndexFunc(places, func(p place) bool { return p.Package == pkg })
}

func load(t *testing.T, folder string) *Tree {
	t.Helper()
	tree, err := Load(os.DirFS(folder))
	require.NoError(t, err)
	require.NotEmpty(t, tree.Texts)
	return tree
}

func marked(tree *Tree) []Violation {
	var violations []Violation
	for _, text := range tree.Texts {
		for number, line := range strings.Split(string(text.Content), "\n") {
			for range strings.Count(line, want) {
				violations = append(violations, Violation{Path: text.Path, Line: number + 1})
			}
		}
	}
	return violations
}
