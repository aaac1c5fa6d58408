package certificate

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// little is a module with one quick test and one that nobody can wait for.
func little(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/little\n\ngo 1.26\n",
		"a/a_test.go": `package a

import (
	"testing"
	"time"
)

func TestQuick(t *testing.T)  { t.Attr("seen", "it ran") }
func TestQuicker(t *testing.T) { t.Error("nobody asked for it") }
func TestEndless(*testing.T) { time.Sleep(time.Hour) }
`,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestTheRunnerRunsTheNamedTestsAndNoOthers(t *testing.T) {
	t.Parallel()
	c, tests := newCollector(), Tests{"a", []string{"TestQuick"}}
	c.end("a", goTest(little(t))(t.Context(), tests, func(e event) { c.take("a", e) }))
	row, _ := c.judge(Scenario{ID: "C1", Tests: []Tests{tests}})
	require.Equal(t, passed, row.Verdict, row.Problems)
	require.Equal(t, []string{"it ran"}, row.Seen)
	require.Len(t, c.tests, 1)

	tests = Tests{"nowhere", []string{"TestQuick"}}
	c.end("nowhere", goTest(little(t))(t.Context(), tests, func(e event) { c.take("nowhere", e) }))
	require.Contains(t, c.pack("nowhere").Problem, "nowhere")
}

// Who stops the command stops the tests that it started.
func TestTheRunnerEndsWhatItStarted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	began := time.Time{}
	err := goTest(little(t))(ctx, Tests{"a", []string{"TestEndless"}}, func(e event) {
		if e.Action == "run" {
			began = time.Now()
			stop()
		}
	})
	require.Error(t, err)
	require.False(t, began.IsZero(), "it was running")
	require.Less(t, time.Since(began), leaving, "an interrupt is enough")
}
