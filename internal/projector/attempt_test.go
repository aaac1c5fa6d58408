package projector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

// answers is a source that gives each run the error that a test chose for it.
type answers map[string]error

// Whole implements Source.
func (a answers) Whole(_ context.Context, runID string) (runs.Whole, error) {
	if err := a[runID]; errors.Is(err, runs.ErrNotFound) || errors.Is(err, runs.ErrUnreachable) {
		return runs.Whole{}, err
	}
	return runs.Whole{RunID: runID}, nil
}

// Fold implements Source.
func (a answers) Fold(w runs.Whole) (history.Folded, error) {
	if err := a[w.RunID]; err != nil {
		return history.Folded{}, fmt.Errorf("fold %s: %w", w.RunID, err)
	}
	return history.Folded{Record: run.Record{RunID: w.RunID, TenantID: "default", Status: run.Running, LastEventID: 1}}, nil
}

// CountClosedBetween implements Source.
func (answers) CountClosedBetween(context.Context, time.Time, time.Time) (int, error) { return 0, nil }

// ClosedBetween implements Source.
func (a answers) ClosedBetween(context.Context, time.Time, time.Time, func([]runs.Listed) error) error {
	return nil
}

// OpenRuns implements Source.
func (a answers) OpenRuns(_ context.Context, visit func([]runs.Listed) error) error {
	var page []runs.Listed
	for id := range a {
		page = append(page, runs.Listed{RunID: id, TemporalRunID: "temporal-" + id})
	}
	return visit(page)
}

func TestWhatAFailedProjectionMeans(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		waits  bool
		logged bool
	}{
		"fine":                        {err: nil},
		"Temporal has forgotten it":   {err: runs.ErrNotFound},
		"Temporal is away":            {err: runs.ErrUnreachable, waits: true},
		"the store is away":           {err: store.ErrUnavailable, waits: true},
		"the store is not migrated":   {err: store.ErrSchema, waits: true},
		"the history does not decode": {err: errors.New("event 1 (WorkflowExecutionStarted): no JSON"), logged: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			d := NewDirty()
			p := New(answers{"run-1": c.err}, memory.New(), d, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			d.Mark("run-1")
			err := p.Drain(t.Context())
			if c.waits {
				require.ErrorIs(t, err, c.err)
				require.Equal(t, []string{"run-1"}, d.take(2), "it waits for the next time")
			} else {
				require.NoError(t, err)
				require.Zero(t, d.Len())
			}
			require.Equal(t, c.logged, log.Len() > 0, log.String())
			if c.logged {
				require.Contains(t, log.String(), "run_id=run-1")
				require.Contains(t, log.String(), "event 1")
			}
		})
	}
}

func TestOneRunThatCannotBeReadStopsNoOther(t *testing.T) {
	t.Parallel()
	mirror := memory.New()
	p := New(answers{"run-1": nil, "run-2": errors.New("does not decode"), "run-3": nil}, mirror, NewDirty(), Options{Parallel: 1})
	now := time.Now()
	require.NoError(t, p.Sweep(t.Context(), now, true))
	for _, id := range []string{"run-1", "run-3"} {
		_, err := mirror.LoadRun(t.Context(), "default", id)
		require.NoError(t, err, id)
	}
	at, err := mirror.Watermark(t.Context())
	require.NoError(t, err)
	require.Equal(t, store.Micro(now), store.Micro(at))
}

// picky is a mirror that refuses one run, and whatever comes together with it.
type picky struct {
	*memory.Store
	runID string
	saves int
}

// SaveAll implements store.Mirror.
func (p *picky) SaveAll(ctx context.Context, list []store.Projection) error {
	p.saves++
	for _, projection := range list {
		if projection.Snapshot.Record.RunID == p.runID {
			return errors.New("that key has a NUL byte")
		}
	}
	return p.Store.SaveAll(ctx, list)
}

func TestOneRunThatCannotBeSavedStopsNoOther(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	mirror, d := &picky{Store: memory.New(), runID: "run-2"}, NewDirty()
	p := New(answers{}, mirror, d, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, id := range []string{"run-1", "run-2", "run-3"} {
		d.Mark(id)
	}
	require.NoError(t, p.Drain(t.Context()))
	require.Equal(t, 4, mirror.saves, "once together, then each alone")
	for _, id := range []string{"run-1", "run-3"} {
		_, err := mirror.LoadRun(t.Context(), "default", id)
		require.NoError(t, err, id)
	}
	require.Zero(t, d.Len())
	require.Equal(t, 1, strings.Count(log.String(), "projection failed"))
	require.Contains(t, log.String(), "run_id=run-2")
}

func TestRunsThatEndNearEachOtherAreSavedTogether(t *testing.T) {
	t.Parallel()
	mirror, d := &picky{Store: memory.New()}, NewDirty()
	p := New(answers{}, mirror, d, Options{})
	for n := range 2*together + 1 {
		d.Mark(fmt.Sprintf("run-%d", n))
	}
	require.NoError(t, p.Drain(t.Context()))
	require.Equal(t, 3, mirror.saves)
	page, err := mirror.ListRuns(t.Context(), store.Query{Tenant: "default", Limit: store.MaxLimit})
	require.NoError(t, err)
	require.Len(t, page.Runs, 2*together+1)
}

func TestTheWatermarkStaysWhileARunWaits(t *testing.T) {
	t.Parallel()
	mirror, d := memory.New(), NewDirty()
	p := New(answers{"run-1": runs.ErrUnreachable}, mirror, d, Options{})
	require.ErrorIs(t, p.Sweep(t.Context(), time.Now(), true), runs.ErrUnreachable)
	at, err := mirror.Watermark(t.Context())
	require.NoError(t, err)
	require.True(t, at.IsZero())
	require.Equal(t, 1, d.Len())
}

// looks is a source that notes for which times closed runs were listed.
type looks struct {
	answers
	closed int // how many runs it counts
	spans  []span
}

// CountClosedBetween implements Source.
func (l *looks) CountClosedBetween(context.Context, time.Time, time.Time) (int, error) {
	return l.closed, nil
}

// ClosedBetween implements Source.
func (l *looks) ClosedBetween(_ context.Context, from, until time.Time, _ func([]runs.Listed) error) error {
	l.spans = append(l.spans, span{from, until})
	return nil
}

type span struct{ from, until time.Time }

func TestASweepLooksFarBackOnceAMinute(t *testing.T) {
	t.Parallel()
	source := &looks{answers: answers{}, closed: 1}
	p := New(source, memory.New(), NewDirty(), Options{})
	now := time.Unix(10_000, 0)
	for _, at := range []time.Duration{0, 5 * time.Second, 10 * time.Second, deepEvery, deepEvery + 5*time.Second} {
		require.NoError(t, p.Sweep(t.Context(), now.Add(at), false))
	}
	require.Equal(t, span{time.Time{}, now}, source.spans[0], "the first sweep asks for everything")
	var back []time.Duration
	for i, at := range []time.Duration{0, 5 * time.Second, 10 * time.Second, deepEvery} { // The watermark is the sweep before.
		back = append(back, now.Add(at).Sub(source.spans[i+1].from))
	}
	require.Equal(t, []time.Duration{overlap, overlap, deepOverlap, overlap}, back)
	require.Equal(t, now.Add(5*time.Second-settling), source.spans[1].until, "what has just closed is left to its hint")
}

// closings is a source whose listed runs have closed, and which notes what is read.
type closings struct {
	answers
	page []runs.Listed
	read []string
}

// CountClosedBetween implements Source.
func (c *closings) CountClosedBetween(context.Context, time.Time, time.Time) (int, error) {
	return len(c.page), nil
}

// ClosedBetween implements Source.
func (c *closings) ClosedBetween(_ context.Context, _, _ time.Time, visit func([]runs.Listed) error) error {
	return visit(c.page)
}

// Whole implements Source.
func (c *closings) Whole(ctx context.Context, runID string) (runs.Whole, error) {
	c.read = append(c.read, runID)
	return c.answers.Whole(ctx, runID)
}

func TestWhatAnotherWorkerHasProjectedIsNotReadAgain(t *testing.T) {
	t.Parallel()
	mirror, now := memory.New(), time.Unix(10_000, 0)
	source := &closings{answers: answers{}}
	for n := range 4 {
		l := runs.Listed{Tenant: "default", RunID: fmt.Sprintf("run-%d", n), TemporalRunID: fmt.Sprintf("t-%d", n), ClosedAt: now.Add(-settling)}
		source.page = append(source.page, l)
		r := run.Record{TenantID: l.Tenant, RunID: l.RunID, TemporalRunID: l.TemporalRunID, Status: run.Completed}
		builder := history.Builder
		switch n {
		case 1: // The end is not in the mirror yet.
			r.Status = run.Running
		case 2: // The run has been reset.
			r.TemporalRunID = "another"
		case 3: // An older tutti folded it.
			builder--
		}
		_, err := mirror.SaveRun(t.Context(), store.Snapshot{Record: r, Builder: builder})
		require.NoError(t, err)
	}
	p := New(source, mirror, NewDirty(), Options{Parallel: 1})
	require.NoError(t, p.Sweep(t.Context(), now, false))
	require.Equal(t, []string{"run-1", "run-2", "run-3"}, source.read)
	require.Equal(t, 1, p.ended.between(time.Time{}, now), "the next count knows of it")
}

func TestASweepListsOnlyWhenACountIsNotOurs(t *testing.T) {
	t.Parallel()
	source := &looks{answers: answers{}}
	p := New(source, memory.New(), NewDirty(), Options{})
	now := time.Unix(10_000, 0)
	sweep := func(closed int) int {
		now, source.closed, source.spans = now.Add(5*time.Second), closed, nil
		require.NoError(t, p.Sweep(t.Context(), now, false))
		return len(source.spans)
	}
	require.Zero(t, sweep(0))
	p.ended.add("seen", now.Add(-settling))
	p.ended.add("just now", now.Add(5*time.Second))
	p.ended.add("long ago", now.Add(-time.Hour))
	require.Zero(t, sweep(1))
	require.Zero(t, sweep(2), "what had just ended then counts now")
	require.Equal(t, 1, sweep(3), "another worker's run has ended")
	require.Equal(t, 1, sweep(0), "a run is counted late: better look")
}
