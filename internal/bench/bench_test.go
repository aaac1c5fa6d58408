package bench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/bench"
)

// outVariable names the folder that gets the report.
const outVariable = "TUTTI_BENCH_OUT"

// shortVariable asks for a look of three minutes instead of the whole.
const shortVariable = "TUTTI_BENCH_SHORT"

// load is how many runs are started at once, and how often that is measured. The
// more runs, the less the noise.
type load struct{ atOnce, rounds int }

// BenchmarkBesideBare measures every side in turns and writes the report. It
// repeats by itself: run it with -benchtime=1x.
func BenchmarkBesideBare(b *testing.B) {
	loads := []load{{10, 14}, {100, 8}, {1000, 2}}
	latency, waiters := 15, 1000
	if os.Getenv(shortVariable) != "" {
		loads, latency, waiters = []load{{10, 6}, {100, 3}}, 5, 100
	}
	g := newGround(b)
	report := &bench.Report{At: time.Now(), Machine: fmt.Sprintf("%d cores, %s, Temporal's development server, Postgres", runtime.NumCPU(), runtime.Version())}
	sides := make([]*side, 0, len(bench.Sides()))
	for _, name := range bench.Sides() {
		sides = append(sides, g.side(b, name))
	}
	for _, s := range sides { // Connections, caches, pollers.
		s.batch(chain3(), 20)
		s.ask("profile")
	}
	for b.Loop() {
		costs(b, report, sides)
		for _, l := range loads {
			throughput(report, sides, l)
		}
		for _, shape := range []shape{chain3(), chain10(), fanOut8()} {
			addedLatency(b, report, sides, shape, latency)
		}
		memory(report, sides, waiters)
	}
	write(b, report)
}

// turns lets the sides go in turns, each round beginning with another.
func turns(rounds int, sides []*side, do func(*side)) {
	for round := range rounds {
		for i := range sides {
			do(sides[(round+i)%len(sides)])
		}
	}
}

// batch runs so many chains at once and returns how long they took.
func (s *side) batch(shape shape, n int) time.Duration {
	s.t.Helper()
	begun := time.Now()
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { _, errs[i] = s.execute(s.t.Context(), shape) })
	}
	group.Wait()
	took := time.Since(begun)
	for _, err := range errs {
		require.NoError(s.t, err)
	}
	s.ask("settle")
	return took
}

func throughput(report *bench.Report, sides []*side, l load) {
	rate := report.Measure(fmt.Sprintf("chains of 3 finished, %d at once", l.atOnce), "runs/s")
	rate.MoreIsBetter = true
	cpu := report.Measure(fmt.Sprintf("worker CPU, %d at once", l.atOnce), "ms/run")
	server := report.Measure(fmt.Sprintf("server CPU, %d at once", l.atOnce), "ms/run")
	turns(l.rounds, sides, func(s *side) {
		pid, before := s.server, s.ask("cpu")
		serverBefore := mustTime(s.t, pid)
		took := s.batch(chain3(), l.atOnce)
		each := float64(l.atOnce) * 1e6
		rate.Add(s.name, float64(l.atOnce)/took.Seconds())
		cpu.Add(s.name, (s.ask("cpu")-before)/each)
		server.Add(s.name, (mustTime(s.t, pid)-serverBefore)/each)
		fmt.Fprintf(os.Stderr, "%-16s %4d at once: %s\n", s.name, l.atOnce, took.Round(time.Millisecond))
	})
}

func mustTime(t testing.TB, pid int) float64 {
	t.Helper()
	n, err := processTime(pid)
	require.NoError(t, err)
	return n
}

// addedLatency is what a run takes beyond the provider's own time, one at a time.
func addedLatency(t testing.TB, report *bench.Report, sides []*side, shape shape, rounds int) {
	t.Helper()
	m := report.Measure("added latency, "+shape.name, "ms")
	turns(rounds, sides, func(s *side) {
		begun := time.Now()
		_, err := s.execute(t.Context(), shape)
		require.NoError(t, err)
		m.Add(s.name, float64(time.Since(begun).Microseconds())/1e3-float64(shape.steps()*providerMS))
		s.ask("settle")
	})
}

// memory is what a waiting run holds in the worker. By far the most of it is the
// SDK's sticky cache, which the bare side has as well.
func memory(report *bench.Report, sides []*side, n int) {
	m := report.Measure(fmt.Sprintf("worker memory, %d waiting", n), "kB/run")
	for _, s := range sides {
		before := s.ask("heap")
		s.wait(n)
		m.Add(s.name, (s.ask("heap")-before)/float64(n)/1e3)
		fmt.Fprintf(os.Stderr, "%-16s %d waiting\n", s.name, n)
	}
}

func write(b *testing.B, report *bench.Report) {
	b.Helper()
	folder := os.Getenv(outVariable)
	if folder == "" {
		folder = b.TempDir()
	}
	raw, err := json.MarshalIndent(report, "", "  ")
	require.NoError(b, err)
	for name, text := range map[string]string{"bench.json": string(raw) + "\n", "bench.md": report.Markdown(), "bench.svg": report.SVG()} {
		require.NoError(b, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	fmt.Fprintln(os.Stderr, report.Markdown())
}
