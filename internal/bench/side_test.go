package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/tutti-dev/tutti/internal/bench"
	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/provider/fakeprovider"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// ground is what all sides share: one server, one Postgres, one provider. A namespace
// they do not share: the projector's sweep goes over all runs of its namespace, those
// of the side without a mirror too.
type ground struct {
	temporal *testenv.TemporalServer
	provider string
}

// startsAtOnce bounds the starts on their way. A thousand at a time are more than a
// development server answers before they give up.
const startsAtOnce = 50

// patience bounds every wait, far above what it takes.
const patience = 2 * time.Minute

func newGround(t testing.TB) *ground {
	t.Helper()
	return &ground{testenv.StartTemporal(t, ""), fakeprovider.Launch(t, fakeprovider.Options{}).BaseURL()}
}

// side is one worker process, and how runs are started there.
type side struct {
	t        testing.TB
	name     bench.Side
	server   int // the process ID of the Temporal server
	temporal client.Client
	runs     *runs.Client
	starts   chan struct{} // those who are starting a run
	in       io.WriteCloser
	out      *bufio.Scanner
}

func (g *ground) side(t testing.TB, name bench.Side) *side {
	t.Helper()
	database := testenv.Postgres(t)
	_, _, err := postgres.Migrate(t.Context(), database)
	require.NoError(t, err)
	namespace := g.temporal.Namespace()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), sideVariable+"="+string(name), temporalVariable+"="+g.temporal.HostPort(),
		namespaceVariable+"="+namespace, databaseVariable+"="+database, providerVariable+"="+g.provider)
	cmd.Stderr = os.Stderr
	s := &side{t: t, name: name, starts: make(chan struct{}, startsAtOnce), server: g.temporal.PID(), temporal: testenv.Dial(t, g.temporal.HostPort(), namespace)}
	s.runs = runs.New(s.temporal, runs.Options{Namespace: namespace, TaskQueue: string(name)})
	s.in, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// The end of its input ends the worker, also when this process is killed.
	t.Cleanup(func() {
		_ = s.in.Close()
		_ = cmd.Wait()
	})
	s.out = bufio.NewScanner(out)
	s.hear()
	return s
}

func (s *side) hear() string {
	s.t.Helper()
	require.True(s.t, s.out.Scan(), "the worker of %s is gone: %v", s.name, s.out.Err())
	return s.out.Text()
}

// ask tells the worker a word and returns its number.
func (s *side) ask(word string) float64 {
	s.t.Helper()
	_, err := fmt.Fprintln(s.in, word)
	require.NoError(s.t, err)
	n, err := strconv.ParseFloat(s.hear(), 64)
	require.NoError(s.t, err)
	return n
}

// start starts one run of a chain and returns its ID.
func (s *side) start(ctx context.Context, shape shape) (string, error) {
	switch s.name {
	case bench.Tutti, bench.NoMirror:
		plan := shape.plan()
		started, err := s.runs.Start(ctx, runs.Start{
			Asked: content.Digest(request),
			Input: history.RunInput{
				TenantID: "default", PrincipalID: "alice", Request: content.Of(request), Summary: "a benchmark's request",
				Chain: plan.Chain.Name, Backend: string(shape.backend()), Plan: &plan,
			},
		})
		return started.RunID, err
	case bench.Bare:
		return s.startBare(ctx, bareWorkflow, shape)
	default:
		return s.startBare(ctx, byHandWorkflow, shape)
	}
}

func (s *side) startBare(ctx context.Context, workflowType string, shape shape) (string, error) {
	id := runs.NewRunID()
	_, err := s.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: string(s.name)}, workflowType, shape.job())
	return id, err
}

// execute starts a run and waits for its end.
func (s *side) execute(ctx context.Context, shape shape) (string, error) {
	s.starts <- struct{}{}
	id, err := s.start(ctx, shape)
	<-s.starts
	if err != nil {
		return "", err
	}
	return id, s.temporal.GetWorkflow(ctx, id, "").Get(ctx, nil)
}

// processTime is a process's CPU time in nanoseconds, as Linux tells it: the
// server, unlike the workers, cannot be asked.
func processTime(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	const user, system, hertz = 11, 12, 100
	u, uErr := strconv.ParseFloat(fields[user], 64)
	k, kErr := strconv.ParseFloat(fields[system], 64)
	if uErr != nil || kErr != nil {
		return 0, fmt.Errorf("no CPU time in the process's stat")
	}
	return (u + k) * 1e9 / hertz, nil
}
