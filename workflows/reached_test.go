package workflows_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/testenv"
)

// unreached is what no history can reach: a function, or in it the statement with
// which a block begins, and why.
type unreached struct {
	function, statement, why string
}

func exceptions() []unreached {
	const refused = "the SDK refuses a handler only for a signature, and these are fixed"
	return []unreached{
		{"turn", "panic(err)", "the domain's own tests have no impossible transition"},
		{"absorb", "panic(err)", "the domain's own tests have no impossible transition"},
		{"start", "panic(err)", "the domain's own tests have no impossible transition"},
		{"await", "panic(err)", "nobody can cancel that context"},
		{"must", "panic(err)", "every recorded payload decodes"},
		{"validateSubmit", "", "an update in a history was let pass; a replay does not look again"},
		{"isReady", "", "only validators ask"},
		{"validateClaim", "", "an update in a history was let pass; a replay does not look again"},
		{"answer", "func() (run.Record, error) { return l.record.Bounded(), nil },", "a query leaves no event"},
		{"answer", "return err", refused},
		{"Run", "return history.RunResult{}, err", refused},
		{"New", "hook = func(*run.Record, []run.Stamped) {}", "a replay has a hook, which hands out the record"},
		{"DefaultTiming", "", "a replay takes its timing from the test"},
		{"DevTiming", "", "a replay takes its timing from the test"},
		{"boundUpstream", "break", "the activities keep every long output, so that there is one to send by reference"},
	}
}

// TestEveryStatementIsReachedByARecordedHistory replays all histories, counting.
// A statement that none reaches may be changed without any test of ours seeing
// that a run which waits for weeks cannot go on.
func TestEveryStatementIsReachedByARecordedHistory(t *testing.T) {
	t.Parallel()
	profile := filepath.Join(t.TempDir(), "cover.out")
	replayed, err := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-coverpkg=.", "-coverprofile="+profile,
		"-run", "^TestEveryRecordedHistoryReplaysAndTheFoldAgrees$", ".").CombinedOutput()
	require.NoError(t, err, "%s", replayed)
	raw, err := os.ReadFile(profile)
	require.NoError(t, err)
	blocks := strings.Split(strings.TrimSpace(string(raw)), "\n")[1:]
	require.Greater(t, len(blocks), 100, "the profile has the workflow's code")

	sources, used, reached := map[string]*source{}, map[unreached]bool{}, 0
	for _, block := range blocks {
		file, at, statements, count := parseBlock(t, block)
		if statements == 0 || count > 0 {
			reached += statements
			continue
		}
		if sources[file] == nil {
			sources[file] = readSource(t, file)
		}
		function, statement := sources[file].at(at)
		known := false
		for _, e := range exceptions() {
			if e.function == function && (e.statement == "" || e.statement == statement) {
				known, used[e] = true, true
			}
		}
		require.True(t, known, "%s:%d: no recorded history reaches %q in %s; add a scenario that does and record it with `%s`, or say in exceptions why none can",
			file, at, statement, function, howToRecord)
	}
	require.Len(t, used, len(exceptions()), "an exception is reached by a history, or is gone")
	testenv.Seen(t, "%d statements of the workflow are reached; the others have %d reasons", reached, len(used))
}

// parseBlock reads a line of a coverage profile, "module/folder/file.go:1.2,3.4 statements count".
func parseBlock(t *testing.T, line string) (file string, at, statements, count int) {
	t.Helper()
	name, rest, found := strings.Cut(line, ":")
	require.True(t, found, line)
	var column, end, endColumn int
	_, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &at, &column, &end, &endColumn, &statements, &count)
	require.NoError(t, err, line)
	return filepath.Base(name), at, statements, count
}

// source is a file of the workflow's code.
type source struct {
	lines []string
	file  *ast.File
	set   *token.FileSet
}

func readSource(t *testing.T, name string) *source {
	t.Helper()
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	s := &source{lines: strings.Split(string(raw), "\n"), set: token.NewFileSet()}
	s.file, err = parser.ParseFile(s.set, name, raw, 0)
	require.NoError(t, err)
	return s
}

// at returns the function of a line and the statement with which a block begins
// that opens there: on the line itself, or on the next one behind a brace.
func (s *source) at(line int) (function, statement string) {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && s.set.Position(f.Pos()).Line <= line && line <= s.set.Position(f.End()).Line {
			function = f.Name.Name
		}
	}
	if statement = s.lines[line-1]; strings.HasSuffix(statement, "{") {
		statement = s.lines[line]
	}
	statement, _, _ = strings.Cut(statement, " // ")
	return function, strings.TrimSpace(statement)
}
