package cli

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

var errNotYet = errors.New("not yet")

// population starts and ends a few runs of two tenants, and returns those of
// the tenant default, newest first.
func population(s *stage) (mine, others []string) {
	s.script.fail("bad", run.CodeAuth)
	s.work()
	for _, plan := range []run.Plan{
		planOf(run.BackendInline, "one"), planOf(run.BackendProvider, "one"),
		planOf(run.BackendProvider, "one", "bad"), planOf(run.BackendInline, "one"),
	} {
		mine = append(mine, s.finished(s.start(plan)))
	}
	slices.Reverse(mine)
	other := s.startFor("other", planOf(run.BackendInline, "one"))
	return mine, []string{other}
}

func names(out string) []string { return strings.Fields(out) }

func TestTheListReadsTheMirrorAndFilters(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mine, others := population(s)
	visibleClosed(s, len(mine)+len(others))
	s.mirror(append(mine, others...)...)
	checkFilters(t, s, mine)

	require.Equal(t, others, names(s.ok("--tenant", "other", "run", "list", "-o", "name")))
	table := s.ok("run", "list")
	require.Contains(t, table, "completed-with-failures  one -> bad  provider  1/2")
	require.Equal(t, 5, strings.Count(table, "\n"))

	first := decoded[listedPage](s, "run", "list", "--json", "--limit", "1")
	require.Len(t, first.Runs, 1)
	require.Equal(t, mine[0], first.Runs[0].RunID)
	require.Equal(t, run.StatePrepared, *first.Runs[0].ExecutionState)
	require.Equal(t, 1, first.Runs[0].TaskCounts[run.TaskPrepared])
	require.Len(t, first.Runs[0].TaskCounts, len(run.TaskStatuses()))
	require.Nil(t, first.Runs[0].Usage.InputTokens)
	require.NotNil(t, first.NextCursor)
	second := decoded[listedPage](s, "run", "list", "--json", "--limit", "3", "--cursor", *first.NextCursor)
	require.Len(t, second.Runs, 3)
	require.Nil(t, second.NextCursor)
	more := s.tutti("run", "list", "-o", "name", "--limit", "1")
	require.Contains(t, more.errors, "there are more: repeat this with --cursor "+*first.NextCursor)

	s.now = func() time.Time { return time.Now().UTC().Add(48 * time.Hour) }
	require.Empty(t, s.ok("run", "list", "-o", "name", "--since", "24h"))
	require.Contains(t, s.ok("run", "list"), "  2d  ")
}

func checkFilters(t *testing.T, s *stage, mine []string) {
	t.Helper()
	for want, flags := range map[string][]string{
		strings.Join(mine, " "):      {},
		mine[1]:                      {"--status", "completed-with-failures"},
		mine[1] + " " + mine[2]:      {"--status", "completed,completed-with-failures"},
		mine[2]:                      {"--chain", "one", "--backend", "provider"},
		mine[0] + " " + mine[3]:      {"--backend", "inline", "--since", "1h"},
		strings.Join(mine[:4], "\n"): {"--since", "2020-01-01", "--limit", "4"},
	} {
		got := names(s.ok(append([]string{"run", "list", "-o", "name"}, flags...)...))
		require.ElementsMatch(t, strings.Fields(want), got, "%v", flags)
	}
}

func TestWithoutTheStoreTheListComesFromTemporal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mine, others := population(s)
	away := s.with("TUTTI_STORE", "postgres").with("DATABASE_URL", "postgres://127.0.0.1:1/none")
	visibleClosed(s, len(mine)+len(others))
	got := away.tutti("run", "list", "-o", "name")
	require.Contains(t, got.errors, "note: the store cannot be reached, so this is read from Temporal")
	require.Equal(t, mine, names(got.out))
	checkFilters(t, away, mine)
	require.Equal(t, others, names(away.ok("--tenant", "other", "run", "list", "-o", "name")))
	require.Empty(t, away.ok("--tenant", `o'nobody\`, "run", "list", "-o", "name"))

	// Page by page, with a cursor that the mirror would not take.
	var paged []string
	cursor := ""
	for range mine {
		page := decoded[listedPage](away, "run", "list", "--json", "--limit", "1", "--cursor", cursor)
		require.Len(t, page.Runs, 1)
		paged = append(paged, page.Runs[0].RunID)
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	require.Equal(t, mine, paged)
	require.Contains(t, s.refused(ExitUsage, "run", "list", "--cursor", cursor), "start again without --cursor")
	require.Contains(t, away.tutti("run", "list", "--cursor", "bWlycm9y").errors, "start again without --cursor")
}

func TestAfterAResetTheListHasTheRunOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.finished(s.start(planOf(run.BackendInline, "one")))
	reset(s, id)
	visibleClosed(s, 2)
	page, err := s.runs.ListPage(t.Context(), store.Query{Tenant: "default"})
	require.NoError(t, err)
	require.Len(t, page.Runs, 1)
	current, err := s.runs.Get(t.Context(), "default", id)
	require.NoError(t, err)
	require.Equal(t, current.Record.TemporalRunID, page.Runs[0].TemporalRunID)
}

// visibleClosed waits until Temporal's list has so many runs that have ended.
func visibleClosed(s *stage, n int) {
	s.t.Helper()
	testenv.Eventually(s.t, patience, "the runs are visible", func() error {
		seen := 0
		err := s.runs.AllRuns(s.t.Context(), func(page []runs.Listed) error {
			for _, l := range page {
				if !l.ClosedAt.IsZero() {
					seen++
				}
			}
			return nil
		})
		if err == nil && seen < n {
			err = errNotYet
		}
		return err
	})
}
