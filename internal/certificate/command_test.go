package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// said is what a command printed and how it ended.
type said struct {
	code        int
	out, errors string
}

// certify runs the command in the module's folder, with another runner than `go test`.
func certify(t *testing.T, test runner, args ...string) said {
	t.Helper()
	return certifyIn(t, t.Context(), "../..", test, args...)
}

func certifyIn(t *testing.T, ctx context.Context, dir string, test runner, args ...string) said {
	t.Helper()
	var out, errs bytes.Buffer
	code := command(ctx, Process{Args: args, Stdout: &out, Stderr: &errs, Dir: dir, Width: 100}, test)
	return said{code, out.String(), errs.String()}
}

// passing says of every test that it ran, saw something and passed.
func passing(_ context.Context, tests Tests, take func(event)) error {
	for _, name := range tests.Names {
		take(event{Action: "attr", Test: name, Key: seenKey, Value: "what " + name + " saw"})
		take(event{Action: "pass", Test: name, Elapsed: 1.5})
	}
	return nil
}

// without is the same, but of one test nothing is heard.
func without(missing string) runner {
	return func(ctx context.Context, tests Tests, take func(event)) error {
		return passing(ctx, tests, func(e event) {
			if e.Test != missing {
				take(e)
			}
		})
	}
}

func TestTheCertificateIsGivenWhenEverythingPassed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "certificate.json")
	got := certify(t, passing, "-only", "C2a, H1", "-report", path)
	require.Zero(t, got.code, got.errors)
	require.Contains(t, got.out, "2 of 2 scenarios pass (only C2a, H1). Measured by make bench: B2, B3, B4.\n")
	require.Contains(t, got.errors, "testing cmd/tutti: 2 tests\nC2a  pass       1.5s  kill -9 after the answer is stored")
	require.Equal(t, 1, strings.Count(got.errors, "C2a "), "each is told once")

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report struct {
		Commit, Go, Temporal string
		Cores                int
		Pass                 bool
		Scope                string
		Scenarios            []Row
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.True(t, report.Pass)
	require.Positive(t, report.Cores)
	require.Regexp(t, `^go1\.`, report.Go)
	require.NotEmpty(t, report.Commit)
	require.NotEmpty(t, report.Temporal)
	require.Len(t, report.Scenarios, 2)
	one := report.Scenarios[0]
	require.Equal(t, "C2a", one.ID)
	require.True(t, one.Pass)
	require.Equal(t, []string{"what TestAStoredAnswerIsNotBoughtAgain saw"}, one.Seen)
	require.Equal(t, []TestRow{{"cmd/tutti", "TestAStoredAnswerIsNotBoughtAgain", "passed", 1.5, one.Seen, nil}}, one.Tests)
	require.InDelta(t, 3.0, report.Scenarios[1].Seconds, 0.01, "of both its tests")
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "no half report stays")
}

func TestTheCertificateIsRefusedWhenSomethingIsMissing(t *testing.T) {
	t.Parallel()
	got := certify(t, without("TestAStoredAnswerIsNotBoughtAgain"), "-only", "C2a,C2b")
	require.Equal(t, exitRefused, got.code)
	require.Contains(t, got.out, "TestAStoredAnswerIsNotBo")
	require.Contains(t, got.out, "1 of 2 scenarios pass (only C2a, C2b); failed: C2a.")
	require.Contains(t, got.errors, "C2a  FAIL ")
}

// Every scenario that is pending keeps the certificate from being given, and says so.
func TestWhatIsPendingIsNotRun(t *testing.T) {
	t.Parallel()
	got := certify(t, passing)
	require.Contains(t, got.out, "scenarios pass (all)")
	if len(pending) == 0 {
		require.Zero(t, got.code)
		return
	}
	require.Equal(t, exitRefused, got.code)
	require.Contains(t, got.out, "not run: "+strings.Join(pending, ", ")+".")
	require.Contains(t, got.errors, pending[0]+" ")
	require.Zero(t, certify(t, passing, "-quick").code, "the quick part is without them")
}

// Somebody stops the run: what did not come to its turn is not run, what was cut off did not pass.
func TestARunThatIsStoppedSaysWhatItDidNot(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	cut := func(_ context.Context, tests Tests, take func(event)) error {
		take(event{Action: "run", Test: tests.Names[0]})
		stop()
		return errExit
	}
	got := certifyIn(t, ctx, "../..", cut, "-only", "C2a,C2b,T1")
	require.Equal(t, exitRefused, got.code)
	require.Contains(t, got.out, "0 of 3 scenarios pass (only C2a, C2b, T1); failed: C2a; not run: C2b, T1.")
}

func TestBadInputIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	never := func(context.Context, Tests, func(event)) error {
		t.Error("a test was run")
		return nil
	}
	for want, args := range map[string][]string{
		"flag provided but not defined: -x; see `certify -h`":                       {"-x"},
		`unexpected argument "C1"; see`:                                             {"C1"},
		`there is no scenario "C99"; choose among C1, C1b, `:                        {"-only", "C99"},
		"-only names no scenario; choose among C1, C1b, ":                           {"-only", ","},
		"B2 is measured, not certified; run: make bench":                            {"-only", "B2"},
		"-quick and -only exclude each other; give one of them":                     {"-quick", "-only", "C2a"},
		"there is no folder nowhere for the report; make it, or name another file ": {"-report", "nowhere/x.json"},
	} {
		got := certify(t, never, args...)
		require.Equal(t, exitUsage, got.code, "%v", args)
		require.Empty(t, got.out)
		require.Contains(t, got.errors, "certify: "+want)
		require.Equal(t, 1, strings.Count(got.errors, "\n"), got.errors)
	}
	got := certifyIn(t, t.Context(), t.TempDir(), never)
	require.Equal(t, exitUsage, got.code)
	require.Equal(t, "certify: there is no go.mod here; run `make certify` in the project's folder\n", got.errors)
	got = certify(t, never, "-h")
	require.Zero(t, got.code)
	require.Contains(t, got.out, "-only C2a,H1")
}
