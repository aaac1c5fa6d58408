package runs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/memory"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// forget deletes a closed run from Temporal, as its retention does.
func (s *stage) forget(runID string) {
	s.t.Helper()
	_, err := s.temporal.WorkflowService().DeleteWorkflowExecution(s.t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: s.namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: runID},
	})
	require.NoError(s.t, err)
	testenv.Eventually(s.t, patience, "Temporal has forgotten the run", func() error {
		_, err := s.runs.Whole(s.t.Context(), runID)
		if errors.Is(err, runs.ErrNotFound) {
			return nil
		}
		return errors.Join(err, errors.New("it is still there"))
	})
}

// archived puts a closed run's history into an archive.
func (s *stage) archived(archive ledger.Archive, tenant, runID string) {
	s.t.Helper()
	whole, err := s.runs.Whole(s.t.Context(), runID)
	require.NoError(s.t, err)
	require.True(s.t, history.HasClosed(whole.Events))
	packed, err := history.NewPacker().Pack(whole.Events)
	require.NoError(s.t, err)
	require.NoError(s.t, archive.SaveHistory(s.t.Context(), ledger.History{
		HistoryKey:    ledger.HistoryKey{Tenant: tenant, RunID: runID},
		TemporalRunID: whole.TemporalRunID, Codec: history.ArchiveCodec, Body: packed,
	}))
}

func TestARunThatTemporalHasForgottenIsReadFromTheArchive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	archive := memory.New()
	client := runs.New(s.temporal, runs.Options{Namespace: s.namespace, Archive: archive})
	asked := wish("default", "key", "digest")
	id := s.start(asked).RunID
	require.NoError(t, s.temporal.TerminateWorkflow(t.Context(), id, "", "enough"))
	before, err := client.Get(t.Context(), "default", id)
	require.NoError(t, err)
	require.Equal(t, run.Errored, before.Record.Status)
	s.archived(archive, "default", id)
	s.forget(id)

	after, err := client.Get(t.Context(), "default", id)
	require.NoError(t, err)
	require.Equal(t, before, after)
	var seen []run.Status
	require.NoError(t, client.Follow(t.Context(), "default", id, func(f history.Folded) (bool, error) {
		seen = append(seen, f.Record.Status)
		return true, nil
	}))
	require.Equal(t, []run.Status{run.Errored}, seen)
	for _, c := range []*runs.Client{client, s.runs} {
		_, err = c.Get(t.Context(), "other", id)
		require.ErrorIs(t, err, runs.ErrNotFound)
	}

	// C13: the same key after retention.
	again, err := client.Start(t.Context(), asked)
	require.NoError(t, err)
	require.Equal(t, runs.Started{RunID: id, Deduplicated: true}, again)
	_, err = client.Start(t.Context(), wish("default", "key", "another digest"))
	require.ErrorIs(t, err, runs.ErrKeyConflict)
	_, err = s.runs.Whole(t.Context(), id)
	require.ErrorIs(t, err, runs.ErrNotFound, "nothing was started")
}

// down is an archive that cannot be asked.
type down struct{}

// LoadHistory implements runs.Archive.
func (down) LoadHistory(context.Context, string, string) (ledger.History, error) {
	return ledger.History{}, store.ErrUnavailable
}

func TestAnArchiveThatIsAwayHoldsNoRunUp(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	client := runs.New(s.temporal, runs.Options{Namespace: s.namespace, Archive: down{}})
	started, err := client.Start(t.Context(), wish("default", "key", "digest"))
	require.NoError(t, err)
	require.False(t, started.Deduplicated)
	require.Len(t, started.Warnings, 1)
	require.Contains(t, started.Warnings[0], "archive")
	_, err = client.Get(t.Context(), "default", runs.NewRunID())
	require.ErrorIs(t, err, store.ErrUnavailable, "whether there is such a run nobody knows")
	require.NotErrorIs(t, err, runs.ErrNotFound)
}

func TestAPackedHistoryIsTheHistory(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.start(wish("default", "", "digest")).RunID
	whole, err := s.runs.Whole(t.Context(), id)
	require.NoError(t, err)
	require.False(t, history.HasClosed(whole.Events))
	packed, err := history.NewPacker().Pack(whole.Events)
	require.NoError(t, err)
	events, err := history.Unpack(history.ArchiveCodec, packed)
	require.NoError(t, err)
	require.Len(t, events, len(whole.Events))
	want, err := s.runs.Fold(whole)
	require.NoError(t, err)
	whole.Events = events
	got, err := s.runs.Fold(whole)
	require.NoError(t, err)
	require.Equal(t, want, got)
	digest, err := history.RequestDigest(history.MemoOf(events))
	require.NoError(t, err)
	require.Equal(t, "digest", digest)

	_, err = history.Unpack("gzip", packed)
	require.ErrorContains(t, err, "gzip")
	_, err = history.Unpack(history.ArchiveCodec, packed[:len(packed)/2])
	require.Error(t, err)
}
