package bench_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/bench"
)

func measured() *bench.Report {
	r := &bench.Report{At: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), Machine: "2 cores & a <fan>"}
	cpu := r.Measure("worker CPU", "ms/run")
	for _, round := range [][3]float64{{22, 20, 10}, {66, 60, 30}, {11, 10, 10}} { // The second round was noisy for all.
		cpu.Add(bench.Tutti, round[0])
		cpu.Add(bench.Bare, round[1])
		cpu.Add(bench.ByHand, round[2])
	}
	rate := r.Measure("runs finished", "runs/s")
	rate.MoreIsBetter = true
	rate.Add(bench.Tutti, 8)
	rate.Add(bench.Bare, 10)
	return r
}

func TestTheRatioIsTheMedianOfTheRoundsRatios(t *testing.T) {
	t.Parallel()
	r := measured()
	cpu, rate := r.Measure("worker CPU", "ms/run"), r.Measure("runs finished", "runs/s")
	require.Len(t, r.Measures, 2, "a measure is made once")
	for _, c := range []struct {
		measure      *bench.Measure
		side, beside bench.Side
		want         float64
	}{
		{cpu, bench.Tutti, bench.Bare, 1.1},
		{cpu, bench.Tutti, bench.ByHand, 2.2},
		{cpu, bench.Bare, bench.Bare, 1},
		{rate, bench.Tutti, bench.Bare, 1.25}, // Of a rate less is worse.
	} {
		got, ok := c.measure.Ratio(c.side, c.beside)
		require.True(t, ok)
		require.InDelta(t, c.want, got, 1e-9, "%s of %s beside %s", c.measure.Name, c.side, c.beside)
	}
	middle, ok := cpu.Median(bench.Tutti)
	require.True(t, ok)
	require.InDelta(t, 22.0, middle, 1e-9)

	_, ok = cpu.Median(bench.NoMirror)
	require.False(t, ok)
	_, ok = rate.Ratio(bench.NoMirror, bench.Bare)
	require.False(t, ok)
}

func TestAnEvenNumberOfRoundsHasItsMiddleBetweenTwo(t *testing.T) {
	t.Parallel()
	m := &bench.Measure{}
	for _, value := range []float64{4, 1, 3, 2} {
		m.Add(bench.Tutti, value)
	}
	middle, _ := m.Median(bench.Tutti)
	require.InDelta(t, 2.5, middle, 1e-9)
	m.Add(bench.Bare, 0)
	_, ok := m.Ratio(bench.Tutti, bench.Bare)
	require.False(t, ok, "nothing is a multiple of nothing")
}

func TestTheTable(t *testing.T) {
	t.Parallel()
	require.Equal(t, `Measured 2026-11-29 12:00 on 2 cores & a <fan>.

| measure | unit | tutti | tutti-no-mirror | bare | by-hand | tutti ÷ bare | no mirror ÷ bare | tutti ÷ by hand |
|---|---|--:|--:|--:|--:|--:|--:|--:|
| worker CPU | ms/run | 22 | – | 20 | 10 | 1.10 | – | 2.20 |
| runs finished | runs/s | 8 | – | 10 | – | 1.25 | – | – |
`, measured().Markdown())
}

func TestThePlotIsWellFormedAndShowsEveryMeasure(t *testing.T) {
	t.Parallel()
	r := measured()
	r.Measure("only by hand", "ms").Add(bench.ByHand, 1) // It has no ratio to the bare side, so no bar.
	svg := r.SVG()
	decoder := xml.NewDecoder(strings.NewReader(svg))
	bars := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "rect" {
			bars++
		}
	}
	require.Equal(t, 1+len(bench.Sides())+5, bars, "the ground, a legend for each side, and a bar for each ratio")
	require.Contains(t, svg, "1.10 (22 ms/run)")
	require.NotContains(t, svg, "only by hand")
	require.Contains(t, svg, "2 cores &amp; a &lt;fan&gt;")
}
