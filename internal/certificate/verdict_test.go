package certificate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorded hands out what `go test -json` once said of a package; the files are named after packages of
// a module that was made for them.
func recorded(t testing.TB, file string, take func(event)) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file+".jsonl"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	require.NoError(t, readEvents(f, file, take))
}

// collected is everything that a recording tells, and how the process ended.
func collected(t testing.TB, file string, ended error) *collector {
	t.Helper()
	c := newCollector()
	recorded(t, file, func(e event) { c.take(file, e) })
	c.end(file, ended)
	return c
}

var errExit = errors.New("exit status 1")

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file string
		ended      error
		tests      []string
		verdict    verdict
		problems   []string
		seen       []string
	}{
		{"all passed", "good", nil, []string{"TestA", "TestB"}, passed, []string{}, []string{"2 calls", "exit 5", "a run, completed"}},
		{"one of two records nothing", "good", nil, []string{"TestA", "TestSilent"}, passed, []string{}, []string{"2 calls"}},
		{"nothing was recorded", "good", nil, []string{"TestSilent"}, failed, []string{"no test of it recorded what it saw"}, []string{}},
		{"a test is missing", "missing", nil, []string{"TestA", "TestGone"}, failed, []string{"TestGone did not run"}, []string{"2 calls"}},
		{"a subtest failed", "bad", errExit, []string{"TestBad"}, failed, []string{"TestBad failed"}, []string{"3 calls"}},
		{"another test of the package failed", "bad", errExit, []string{"TestGood"}, passed, []string{}, []string{"it works"}},
		{"a test was skipped", "skips", nil, []string{"TestSkipped"}, failed, []string{"TestSkipped was skipped"}, []string{"nothing"}},
		{"a subtest was skipped", "skips", nil, []string{"TestHalf"}, failed, []string{"of TestHalf, TestHalf/two was skipped"}, []string{"one half"}},
		{"a panic", "panics", errExit, []string{"TestPanics"}, failed, []string{"TestPanics failed"}, []string{}},
		{"before a panic", "panics", errExit, []string{"TestBefore"}, passed, []string{}, []string{"well"}},
		{"after a panic", "panics", errExit, []string{"TestAfter"}, failed, []string{"TestAfter did not run"}, []string{}},
		{"it does not build", "broken", errExit, []string{"TestX"}, failed, []string{
			"TestX did not run", "package broken failed outside its tests: broken/a_test.go:5:28: undefined: undefined",
		}, []string{}},
		{"the package failed beside its tests", "exits", errExit, []string{"TestFine"}, failed, []string{
			"package exits failed outside its tests: exit status 1",
		}, []string{"all is well"}},
		{"the command failed without a word", "good", errExit, []string{"TestB"}, failed, []string{
			"package good failed outside its tests: exit status 1",
		}, []string{"exit 5", "a run, completed"}},
		{"no test is named", "good", nil, nil, notRun, []string{"its test is not in the table yet"}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := Scenario{ID: "C1", Done: "done", Expected: "expected"}
			if c.tests != nil {
				s.Tests = []Tests{{c.file, c.tests}}
			}
			row, decided := collected(t, c.file, c.ended).judge(s)
			require.True(t, decided)
			require.Equal(t, c.verdict, row.Verdict)
			require.Equal(t, c.verdict == passed, row.Pass)
			require.Equal(t, c.seen, row.Seen)
			require.Equal(t, c.problems, row.Problems)
			require.Len(t, row.Tests, len(c.tests))
		})
	}
}

func TestWhatAFailedTestSaidIsKept(t *testing.T) {
	t.Parallel()
	row, _ := collected(t, "bad", errExit).judge(Scenario{ID: "C1", Tests: []Tests{{"bad", []string{"TestBad", "TestGood"}}}})
	require.Equal(t, []string{"failed", "passed"}, []string{row.Tests[0].Result, row.Tests[1].Result})
	require.Contains(t, row.Tests[0].Output, "    a_test.go:9: 3 calls, want 1")
	require.Empty(t, row.Tests[1].Output)
	row, _ = collected(t, "panics", errExit).judge(Scenario{ID: "C1", Tests: []Tests{{"panics", []string{"TestPanics"}}}})
	require.Contains(t, row.Tests[0].Output, "panic: assignment to entry in nil map [recovered, repanicked]")
}

// A scenario is decided when its last test has ended, and not before; one whose test was cut off in the
// middle did not pass.
func TestAScenarioIsDecidedWithItsLastTest(t *testing.T) {
	t.Parallel()
	c, s := newCollector(), Scenario{ID: "C1", Tests: []Tests{{"good", []string{"TestA", "TestB"}}}}
	row, decided := c.judge(s)
	require.False(t, decided)
	require.Equal(t, notRun, row.Verdict)
	var order []string
	recorded(t, "good", func(e event) {
		if !c.take("good", e) {
			return
		}
		_, decided := c.judge(s)
		order = append(order, e.Test)
		require.Equal(t, len(order) == 3, decided, "%v", order)
		if e.Test == "TestB" {
			row, _ := c.judge(s)
			require.Equal(t, failed, row.Verdict)
			require.Equal(t, []string{"TestA did not end"}, row.Problems)
		}
	})
	require.Equal(t, []string{"TestB", "TestSilent", "TestA"}, order)
}

func TestALineThatIsNoEventIsTheCommandsOwn(t *testing.T) {
	t.Parallel()
	c := newCollector()
	c.take("x", event{Action: "output", Output: "go: no such tool\n"})
	c.end("x", errExit)
	require.Equal(t, "package x failed outside its tests: go: no such tool", c.pack("x").Problem)
}
