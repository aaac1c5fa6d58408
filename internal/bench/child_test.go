package bench_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/grpc"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/bench"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/provider/openai"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store/postgres"
	"github.com/tutti-dev/tutti/workflows"
)

const (
	providerName = "fake"
	// concurrentCalls is what `tutti worker` allows.
	concurrentCalls = 200
)

// The variables that make this test binary a side's worker.
const (
	sideVariable      = "TUTTI_BENCH_SIDE"
	temporalVariable  = "TUTTI_BENCH_TEMPORAL"
	namespaceVariable = "TUTTI_BENCH_NAMESPACE"
	databaseVariable  = "TUTTI_BENCH_DATABASE"
	providerVariable  = "TUTTI_BENCH_PROVIDER"
	profileVariable   = "TUTTI_BENCH_PROFILE"
)

func TestMain(m *testing.M) {
	if side := os.Getenv(sideVariable); side != "" {
		if err := beWorker(context.Background(), bench.Side(side)); err != nil {
			fmt.Fprintln(os.Stderr, "bench worker:", err)
		}
		return
	}
	m.Run()
}

// endpoints knows the one provider there is.
type endpoints struct{ endpoint provider.Endpoint }

// Endpoint implements activities.Endpoints.
func (e endpoints) Endpoint(context.Context, string) (activities.Resolved, error) {
	return activities.Resolved{Endpoint: e.endpoint}, nil
}

// beWorker works for one side until its standard input ends.
func beWorker(ctx context.Context, side bench.Side) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log := slog.New(slog.DiscardHandler)
	dirty, beats := projector.NewDirty(), activities.NewBeats()
	see := []grpc.UnaryClientInterceptor{beats.Interceptor()}
	if side == bench.Tutti {
		see = append(see, dirty.Hints())
	}
	namespace := os.Getenv(namespaceVariable)
	c, err := client.DialContext(ctx, client.Options{
		HostPort: os.Getenv(temporalVariable), Namespace: namespace, Logger: sdklog.NewStructuredLogger(log),
		ConnectionOptions: client.ConnectionOptions{GrpcCompression: &client.GrpcCompressionNone{}, DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(see...)}},
	})
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := postgres.Open(ctx, os.Getenv(databaseVariable), postgres.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()

	endpoint := provider.Endpoint{Name: providerName, Dialect: provider.DialectOpenAI, BaseURL: os.Getenv(providerVariable)}
	caller := provider.ByDialect{
		provider.DialectOpenAI: openai.New(provider.NewDoer(provider.NewTransport(provider.TransportOptions{Concurrency: concurrentCalls}))),
	}
	w := worker.New(c, string(side), worker.Options{MaxConcurrentActivityExecutionSize: concurrentCalls})
	acts := activities.New(activities.Dependencies{Store: s, Caller: caller, Endpoints: endpoints{endpoint}, Log: log, Beats: beats})
	switch side {
	case bench.ByHand:
		(&byHand{answers: s, caller: caller, endpoint: endpoint}).register(w)
	case bench.Bare:
		registerBare(w)
		acts.Register(w)
	default:
		w.RegisterWorkflowWithOptions(workflows.New(workflows.DefaultTiming(), nil).Run, workflow.RegisterOptions{Name: history.WorkflowType})
		acts.Register(w)
	}
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()
	if side == bench.Tutti {
		p := projector.New(runs.New(c, runs.Options{Namespace: namespace, TaskQueue: string(side)}), s, dirty, projector.Options{Log: log})
		go p.Run(ctx)
	}
	return obey(os.Stdin, os.Stdout, dirty)
}

// obey answers a line with a line: ready, settled, CPU time and heap.
func obey(in io.Reader, out io.Writer, dirty *projector.Dirty) error {
	fmt.Fprintln(out, "ready")
	stopProfile := func() {}
	defer func() { stopProfile() }()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var answer any
		switch word := strings.TrimSpace(lines.Text()); word {
		case "settle": // The mirror may be behind; what it costs belongs to the runs.
			look := time.NewTicker(50 * time.Millisecond) // Looking is on the bill too.
			for dirty.Lag(time.Now()) > 0 {
				<-look.C
			}
			look.Stop()
			answer = 0
		case "cpu":
			var usage syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
				return err
			}
			answer = usage.Utime.Nano() + usage.Stime.Nano()
		case "heap":
			debug.FreeOSMemory()
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			answer = stats.HeapAlloc + stats.StackInuse
		case "profile":
			stopProfile = profile()
			answer = 0
		default:
			return fmt.Errorf("no command %q", word)
		}
		fmt.Fprintln(out, answer)
	}
	return lines.Err()
}
