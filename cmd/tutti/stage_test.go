package main_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// patience is above what a lost worker costs at worst: two heartbeat timeouts and
// the minute for which Temporal answers the polls of a process that stands still.
const patience = 150 * time.Second

// stage is what a user has: a namespace of a real Temporal, a data directory, a
// working directory, and a provider that counts.
type stage struct {
	t         *testing.T
	namespace string
	work      string
	data      string
	env       []string
	temporal  client.Client
	fake      *fakeprovider.Client
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return newStageAt(t, testenv.Temporal(t), testenv.Namespace(t))
}

// newStageAt is a stage on a server of the test's own.
func newStageAt(t *testing.T, address, namespace string) *stage {
	t.Helper()
	s := &stage{t: t, namespace: namespace, work: t.TempDir(), data: t.TempDir()}
	s.fake = fakeprovider.Start(t, fakeprovider.Options{Corpus: []string{
		"../../internal/provider/testdata/corpus.json", "../../internal/provider/testdata/corpus-own.json",
	}})
	s.temporal = testenv.Dial(t, address, s.namespace)
	s.env = []string{"TEMPORAL_ADDRESS=" + address, "TEMPORAL_NAMESPACE=" + s.namespace, "TUTTI_DATA_DIR=" + s.data}
	s.write("tutti.yaml", "providers:\n  fake:\n    dialect: openai\n    baseURL: "+s.fake.BaseURL()+"\n")
	return s
}

func (s *stage) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.work, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
}

func (s *stage) options(args ...string) testenv.ProcessOptions {
	return testenv.ProcessOptions{Path: testenv.Binary(s.t), Args: args, Env: s.env, Dir: s.work}
}

// tutti runs a command to its end.
func (s *stage) tutti(args ...string) (*testenv.Process, int) {
	s.t.Helper()
	return testenv.Run(s.t, patience, s.options(args...))
}

// must runs a command that has to succeed and returns its standard output.
func (s *stage) must(args ...string) string {
	s.t.Helper()
	p, code := s.tutti(args...)
	require.Zero(s.t, code, "tutti %s:\n%s", strings.Join(args, " "), p.Output())
	return p.Stdout()
}

// refused runs a command that has to fail with one line and this code.
func (s *stage) refused(code int, args ...string) string {
	s.t.Helper()
	p, got := s.tutti(args...)
	require.Equal(s.t, code, got, "tutti %s:\n%s", strings.Join(args, " "), p.Output())
	require.Empty(s.t, p.Stdout(), "nothing belongs on standard output")
	return s.oneLine(p)
}

// oneLine requires that the error is the last line and the only one of its kind.
func (s *stage) oneLine(p *testenv.Process) string {
	s.t.Helper()
	lines := strings.Split(strings.TrimSpace(p.Stderr()), "\n")
	last := lines[len(lines)-1]
	require.True(s.t, strings.HasPrefix(last, "tutti: "), "the last line is no error: %q", last)
	require.NotContains(s.t, p.Stderr(), "goroutine", "no stack trace")
	return last
}

func (s *stage) worker(args ...string) *testenv.Process {
	s.t.Helper()
	w := testenv.StartProcess(s.t, s.options(append([]string{"worker"}, args...)...))
	w.WaitForLine(regexp.MustCompile(`polls task queue`), patience)
	return w
}

// detach starts a run and returns its ID.
func (s *stage) detach(args ...string) string {
	s.t.Helper()
	return strings.TrimSpace(s.must(append([]string{"submit", "--detach"}, args...)...))
}

// finish waits for a run's end and returns its record.
func (s *stage) finish(runID string) run.Record {
	s.t.Helper()
	p, _ := s.tutti("run", "watch", runID, "--json")
	return s.record(p.Stdout())
}

func (s *stage) show(runID string) run.Record {
	s.t.Helper()
	return s.record(s.must("run", "show", runID, "--json"))
}

func (s *stage) record(raw string) run.Record {
	s.t.Helper()
	var record run.Record
	require.NoError(s.t, json.Unmarshal([]byte(raw), &record), raw)
	return record
}

// cli runs the official Temporal CLI.
func (s *stage) cli(args ...string) string {
	s.t.Helper()
	p, code := testenv.Run(s.t, patience, testenv.ProcessOptions{Path: testenv.TemporalCLI(s.t), Args: args, Env: s.env, Dir: s.work})
	require.Zero(s.t, code, "temporal %s:\n%s", strings.Join(args, " "), p.Output())
	return p.Stdout()
}

func (s *stage) history(runID string) []*historypb.HistoryEvent {
	s.t.Helper()
	return testenv.History(s.t, s.temporal, runID)
}

// calls says how often a model was called.
func (s *stage) calls(model string) int {
	s.t.Helper()
	stats, err := s.fake.Stats(s.t.Context())
	require.NoError(s.t, err)
	if m, ok := stats.Models[model]; ok {
		return m.Calls
	}
	return 0
}

// called waits until a model was called n times.
func (s *stage) called(model string, n int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	_, err := s.fake.Await(ctx, model, n)
	require.NoError(s.t, err)
}

// threeModels is a chain of three tasks that each ask a model of their own, so
// that the provider's counters tell which task was called how often.
const threeModels = `name: three
description: three tasks with a model each
tasks:
  - {specialist: architect, model: fake/echo-1}
  - {specialist: engineer, needs: [architect], model: fake/hold-2}
  - {specialist: reviewer, needs: [architect, engineer], model: fake/echo-3}
`
