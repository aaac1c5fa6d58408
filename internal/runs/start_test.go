package runs_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// The IDs are those of sha256sum over the three texts with a NUL between them.
func TestAKeyStandsForOneRunIDOfItsTenantAndPrincipal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tenant, principal, key, want string }{
		{"default", "alice", "nightly-2026-01-31", "53dfc1e32e8c5fa0"},
		{"acme", "alice", "nightly-2026-01-31", "4ff95e7a648f1499"},
		{"default", "bob", "nightly-2026-01-31", "c2ff9544899b945e"},
		{"", "", "", "96a296d224f285c6"},
		{"a", "bü", "k", "d225cd272a223b85"},
	} {
		require.Equal(t, "run-"+c.want, runs.KeyRunID(c.tenant, c.principal, c.key))
	}
	require.NotEqual(t, runs.KeyRunID("a", "b", "c"), runs.KeyRunID("ab", "", "c"))
	require.Regexp(t, `^run-[0-9a-f]{16}$`, runs.NewRunID())
	first := runs.NewRunID()
	require.NotEqual(t, first, runs.NewRunID())
}

func TestOneKeyAndOneDigestAreOneRun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const askers = 5
	var group sync.WaitGroup
	var mu sync.Mutex
	fresh := 0
	for range askers {
		group.Go(func() {
			started, err := s.runs.Start(t.Context(), wish("default", "key", "digest"))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || started.RunID != runs.KeyRunID("default", "alice", "key") {
				t.Errorf("%+v: %v", started, err)
			}
			if !started.Deduplicated {
				fresh++
			}
		})
	}
	group.Wait()
	require.Equal(t, 1, fresh, "one of them started the run and the others found it")
	s.listed(1)
}

func TestOneKeyWithAnotherDigestStartsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.start(wish("default", "key", "digest"))
	before := s.describe(first.RunID).GetWorkflowExecutionInfo()
	_, err := s.runs.Start(t.Context(), wish("default", "key", "another digest"))
	require.ErrorIs(t, err, runs.ErrKeyConflict)
	require.ErrorContains(t, err, first.RunID)

	require.NoError(t, s.temporal.TerminateWorkflow(t.Context(), first.RunID, "", "ended"))
	_, err = s.runs.Start(t.Context(), wish("default", "key", "another digest"))
	require.ErrorIs(t, err, runs.ErrKeyConflict, "a key holds also after the run has ended")
	require.True(t, s.start(wish("default", "key", "digest")).Deduplicated)
	after := s.describe(first.RunID).GetWorkflowExecutionInfo()
	require.Equal(t, before.GetExecution().GetRunId(), after.GetExecution().GetRunId())

	other := s.start(wish("acme", "key", "another digest"))
	require.False(t, other.Deduplicated, "another tenant's key is another key")
	require.NotEqual(t, first.RunID, other.RunID)
}

func TestWithoutAKeyEveryStartIsARun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a, b := s.start(wish("default", "", "digest")), s.start(wish("default", "", "digest"))
	require.NotEqual(t, a.RunID, b.RunID)
	require.False(t, a.Deduplicated || b.Deduplicated)
}

func TestARunCarriesWhatOperatorsLookFor(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := wish("default", "", "digest")
	w.Input.Summary = strings.Repeat("é", run.SummaryLimit)
	started := s.start(w)
	require.Empty(t, started.Warnings)
	d := s.describe(started.RunID)
	info, dc := d.GetWorkflowExecutionInfo(), converter.GetDefaultDataConverter()
	require.Equal(t, history.WorkflowType, info.GetType().GetName())
	require.Equal(t, history.DefaultTaskQueue, info.GetTaskQueue())
	for name, want := range map[string]string{
		history.AttributeTenant: "default", history.AttributeChain: "one", history.AttributeBackend: "inline",
	} {
		var got string
		require.NoError(t, dc.FromPayload(info.GetSearchAttributes().GetIndexedFields()[name], &got), name)
		require.Equal(t, want, got)
	}
	for name, want := range map[string]string{
		history.MemoRequestSHA256: "digest", history.MemoSummary: w.Input.Summary,
	} {
		var got string
		require.NoError(t, dc.FromPayload(info.GetMemo().GetFields()[name], &got), name)
		require.Equal(t, want, got)
	}
	var summary, details string
	metadata := d.GetExecutionConfig().GetUserMetadata()
	require.NoError(t, dc.FromPayload(metadata.GetSummary(), &summary))
	require.NoError(t, dc.FromPayload(metadata.GetDetails(), &details))
	require.LessOrEqual(t, len(summary), 200, "Temporal refuses a longer one")
	require.Contains(t, details, "because it was asked for")
	require.Contains(t, details, "1. one (inline)")
}

func TestANamespaceWithoutTheAttributesStartsTheRunAndSaysSo(t *testing.T) {
	t.Parallel()
	s := stageIn(t, bareNamespace(t))
	started := s.start(wish("default", "key", "digest"))
	require.Len(t, started.Warnings, 1)
	require.Contains(t, started.Warnings[0], "tutti doctor --fix")
	require.Empty(t, s.describe(started.RunID).GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields())

	require.True(t, s.start(wish("default", "key", "digest")).Deduplicated)
	_, err := s.runs.Start(t.Context(), wish("default", "key", "another"))
	require.ErrorIs(t, err, runs.ErrKeyConflict)
	s.listed(1)
	found, err := s.runs.FindByPrefix(t.Context(), "default", "run-", 5)
	require.NoError(t, err)
	require.Equal(t, []string{started.RunID}, found)
}

// bareNamespace registers a namespace that has none of tutti's search attributes.
func bareNamespace(t *testing.T) string {
	t.Helper()
	name := "bare-" + runs.NewRunID()
	c := testenv.Dial(t, testenv.Temporal(t), name)
	_, err := c.WorkflowService().RegisterNamespace(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	require.NoError(t, err)
	testenv.Eventually(t, patience, "the namespace is there", func() error {
		_, err := c.WorkflowService().CountWorkflowExecutions(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: name,
		})
		return err
	})
	return name
}
