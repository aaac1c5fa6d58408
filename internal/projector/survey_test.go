package projector_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestASurveySeesWhatIsBehindWrongAndNew(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s := newStage(t)
		s.work(projector.NewDirty()) // All hints are lost.
		good, open := s.start("one", "two"), s.start("one", "held")
		s.finished(good)
		s.held(open)
		s.listed(1, 1)
		survey := projector.NewSurvey(runs.New(s.client, runs.Options{Namespace: s.namespace, Archive: mirror}), mirror, projector.Options{})
		later := time.Now().Add(time.Hour)

		status, err := survey.Status(t.Context(), later)
		require.NoError(t, err)
		require.Equal(t, 2, status.Dirty)
		require.Greater(t, status.LagSeconds, time.Minute.Seconds())
		require.Nil(t, status.Watermark)
		found, err := survey.Verify(t.Context(), time.Now())
		require.NoError(t, err)
		require.Equal(t, 2, found.Behind, "a sweep may still come")
		require.True(t, found.OK())
		found, err = survey.Verify(t.Context(), later)
		require.NoError(t, err)
		require.Len(t, found.Different, 2, "none came")

		rebuilt, err := survey.Rebuild(t.Context())
		require.NoError(t, err)
		require.Equal(t, projector.Rebuilt{Runs: 2, Failed: []projector.Failed{}}, rebuilt)
		s.requireRow(mirror, good)
		s.requireRow(mirror, open)
		status, err = survey.Status(t.Context(), later)
		require.NoError(t, err)
		require.Equal(t, projector.Status{Rows: 2, Open: 1, Failed: []projector.Failed{}, Unknown: map[string]int{}}, status)

		row, err := mirror.LoadRun(t.Context(), "default", good)
		require.NoError(t, err)
		wrong := row
		wrong.Record.Status, wrong.Current, wrong.Rebuild = run.Cancelled, true, true
		save(t, mirror, wrong)
		found, err = survey.Verify(t.Context(), later)
		require.NoError(t, err)
		require.Len(t, found.Different, 1)
		require.Equal(t, good, found.Different[0].RunID)
		require.Contains(t, found.Different[0].Reason, "status cancelled, and the fold says completed")
		require.Equal(t, 1, found.Equal)

		// A newer tutti's row is its own affair.
		newer := row
		newer.Builder, newer.Current = history.Builder+1, true
		save(t, mirror, newer)
		found, err = survey.Verify(t.Context(), later)
		require.NoError(t, err)
		require.Equal(t, []int{1, 1, 0}, []int{found.Newer, found.Equal, len(found.Different)})
		_, err = survey.Rebuild(t.Context())
		require.NoError(t, err)
		kept, err := mirror.LoadRun(t.Context(), "default", good)
		require.NoError(t, err)
		require.Equal(t, history.Builder+1, kept.Builder)
	})
}

func save(t *testing.T, mirror store.Mirror, s store.Snapshot) {
	t.Helper()
	saved, err := mirror.SaveRun(t.Context(), s)
	require.NoError(t, err)
	require.True(t, saved)
}

func TestPruningKeepsWhatAnybodyRefersTo(t *testing.T) {
	t.Parallel()
	mirrors(t, func(t *testing.T, mirror store.Store) {
		s := newStage(t)
		s.work(projector.NewDirty())
		id := s.start("one", "held") // Its plan and its outputs name texts, in Temporal alone.
		s.held(id)
		s.listed(0, 1)
		put := func(text string) {
			require.NoError(t, mirror.PutContent(t.Context(), "default", content.Digest(text), []byte(text)))
		}
		for _, text := range []string{"You are the held.", "answer of one", "nobody's"} {
			put(text)
		}
		survey := projector.NewSurvey(runs.New(s.client, runs.Options{Namespace: s.namespace, Archive: mirror}), mirror, projector.Options{})
		discarded, err := survey.Prune(t.Context(), mirror, time.Now().Add(projector.PruneAge-time.Minute), false)
		require.NoError(t, err)
		require.Zero(t, discarded, "too young")
		for _, dryRun := range []bool{true, false} {
			discarded, err = survey.Prune(t.Context(), mirror, time.Now().Add(projector.PruneAge+time.Hour), dryRun)
			require.NoError(t, err)
			require.EqualValues(t, 1, discarded.Contents)
		}
		for text, kept := range map[string]bool{"You are the held.": true, "answer of one": true, "nobody's": false} {
			_, err := mirror.GetContent(t.Context(), "default", content.Digest(text))
			require.Equal(t, kept, err == nil, text)
		}
	})
}
