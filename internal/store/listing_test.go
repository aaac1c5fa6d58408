package store_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestListingLeavesLongTextsOut(t *testing.T) {
	t.Parallel()
	fits := strings.Repeat("x", store.ListingTextLimit)
	long := fits + "x"
	whole := run.Record{
		Request: run.Request{Text: long, TextSize: len(long)}, FinalMessage: fits,
		Tasks: []run.Task{{
			ID: "a", Output: long, OutputSHA256: content.Digest(long), OutputSize: len(long),
			Prompt:     &run.PromptRef{System: content.Of(fits), User: content.Of(long)},
			HostPrompt: &run.HostPrompt{System: fits, User: long},
		}},
	}
	page := store.Listing(whole)
	require.Empty(t, page.Request.Text)
	require.Equal(t, len(long), page.Request.TextSize)
	require.Equal(t, fits, page.FinalMessage)
	task := page.Tasks[0]
	require.Empty(t, task.Output)
	require.Equal(t, content.Digest(long), task.OutputSHA256)
	require.Equal(t, content.Of(fits), task.Prompt.System)
	require.Equal(t, content.Of(long).Ref(), task.Prompt.User)
	require.Equal(t, run.HostPrompt{System: fits}, *task.HostPrompt)
	require.Equal(t, long, whole.Tasks[0].Output, "the record itself is untouched")
	require.Equal(t, long, whole.Tasks[0].Prompt.User.Inline)
}

func TestScanPagesThroughMoreThanItHolds(t *testing.T) {
	t.Parallel()
	const runs = 5000
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var all iter.Seq2[run.Record, error] = func(yield func(run.Record, error) bool) {
		for i := range runs {
			at := start.Add(time.Duration(i*7919%runs/2) * time.Second) // unordered, each twice
			r := run.Record{TenantID: "t", RunID: fmt.Sprintf("run-%05d", i), CreatedAt: &at}
			if !yield(r, nil) {
				return
			}
		}
	}
	var seen []store.Cursor
	query := store.Query{Tenant: "t", Limit: 300}
	for {
		page, err := query.Scan(all)
		require.NoError(t, err)
		for i := range page.Runs {
			seen = append(seen, store.PlaceOf(&page.Runs[i]))
		}
		if query.Cursor = page.NextCursor; query.Cursor == "" {
			break
		}
	}
	require.Len(t, seen, runs)
	require.True(t, slices.IsSortedFunc(seen, store.Cursor.Compare))
	require.Len(t, slices.Compact(seen), runs, "none twice")
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{
		0: store.DefaultLimit, -1: store.DefaultLimit, 7: 7, 1 << 20: store.MaxLimit,
	} {
		got, after, err := store.Query{Limit: limit}.Bounds()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Nil(t, after)
	}
	place := store.Cursor{CreatedAt: time.UnixMicro(1234567890123456).UTC(), RunID: "run-ü 1"}
	_, after, err := store.Query{Cursor: place.String()}.Bounds()
	require.NoError(t, err)
	require.Equal(t, place, *after)
	for _, bad := range []string{"?", "YQ", "MTIzIA", "eCBydW4"} {
		_, _, err := store.Query{Cursor: bad}.Bounds()
		require.ErrorIs(t, err, store.ErrCursor, bad)
	}
}

func TestOpenKeys(t *testing.T) {
	t.Parallel()
	o := store.Open{Tenant: "größe", RunID: "run-1"}
	tenant, runID := store.ParseKey(o.Key())
	require.Equal(t, []string{o.Tenant, o.RunID}, []string{tenant, runID})
	tenant, runID = store.ParseKey("")
	require.Empty(t, tenant+runID)
	require.Negative(t, o.Compare(store.Open{Tenant: "größe", RunID: "run-2"}))
	require.Positive(t, o.Compare(store.Open{Tenant: "a", RunID: "run-2"}))
}
