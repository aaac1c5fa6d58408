package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

const tenant = "acme"

// start is when the first run of a test was created; its nanoseconds do not fit
// into a database's timestamp.
func start() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC) }

func at(offset time.Duration) *time.Time {
	t := start().Add(offset)
	return &t
}

func pointer[V any](v V) *V { return &v }

// record is a run in the middle of its life, with something in every field
// whose zero value would prove nothing.
func record(tenant, runID string) run.Record {
	text := content.Of("the whole answer")
	usage := run.Usage{
		InputTokens: pointer[int64](1200), CachedInputTokens: pointer[int64](0),
		OutputTokens: pointer[int64](1 << 40), CostUSD: pointer("0.012300000000000001"), CallsUncertain: 1,
	}
	return run.Record{
		RunID: runID, TenantID: tenant, PrincipalID: "alice",
		Status: run.Running, ExecutionState: run.StateDegradedExecuted, Degraded: true,
		DegradationReasons: []string{run.DegradedSameFamilyFallback},
		TemporalRunID:      "temporal-1", LastEventID: 20,
		CreatedAt: at(0), StartedAt: at(time.Second), UpdatedAt: at(time.Minute),
		Request: run.Request{
			Text: "review <this> & that", TextSize: 20, Summary: "review", SHA256: "ab",
			Attachments: []run.Attachment{{Name: "a file.go", Size: 3, SHA256: "cd"}},
		},
		Chain: run.ChainRef{Name: "pair", Version: "1.0.0+habc"}, Plan: run.PlanNote{Rationale: "asked for"},
		WorkerBackend: "mixed", Execution: run.Execution{RequestedModel: "m", ResolutionSource: "flag"},
		Semantics: "who did it", Warnings: []string{"one", "two"}, Usage: usage,
		Budget: run.Budget{MaxCostUSD: pointer("0"), MaxTokens: pointer[int64](5)}, PromptFormat: 1,
		Tasks: []run.Task{
			{
				ID: "architect", Seq: 1, Backend: run.BackendProvider, Status: run.TaskDone,
				Specialist: run.SpecialistRef{Name: "architect", ID: "uuid", Version: "1.0.0+hdef"},
				Executor:   "provider:demo:echo", ExecutionState: run.StateDegradedExecuted,
				Degradations: []run.Degradation{{Reason: run.DegradedSameFamilyFallback, Detail: "d"}},
				Prompt:       &run.PromptRef{System: text, User: text.Ref()},
				Output:       text.Inline, OutputSHA256: text.SHA256, OutputSize: text.Size,
				Provider: "demo", Model: "echo", Usage: usage, Calls: 1,
				ProviderMeta: &run.ProviderMeta{FinishReason: "stop", Usage: &usage, ElapsedMS: 12, Attempts: 2},
				StartedAt:    at(time.Second), FinishedAt: at(2 * time.Second),
			},
			{
				ID: "reviewer", Seq: 2, Needs: []string{"architect"}, Backend: run.BackendHost, Status: run.TaskFailed,
				HostPrompt: &run.HostPrompt{System: "s", User: "u"}, ResumeAt: at(time.Hour),
				Error: &run.Failure{
					Code: run.CodeRateLimited, Class: "rate_limited", Message: "slow down", Remediation: "wait",
					Attempts: 3, RetryAfterMS: pointer[int64](0),
				},
			},
		},
	}
}

// snapshot is a projection up to the given event, with as many events.
func snapshot(r run.Record, lastEventID int64) store.Snapshot {
	r.LastEventID = lastEventID
	s := store.Snapshot{Record: r, Builder: 1, Current: true}
	for id := range lastEventID {
		s.Events = append(s.Events, run.Stamped{
			Event:   run.TaskScheduled{OfTask: run.OfTask{TaskID: "architect"}, Call: int(id)},
			EventID: id + 1, At: start().Add(time.Duration(id) * time.Millisecond),
		})
	}
	return s
}

// save saves and says whether the snapshot won.
func save(t testing.TB, st store.Store, s store.Snapshot) bool {
	t.Helper()
	won, err := st.SaveRun(t.Context(), s)
	require.NoError(t, err)
	return won
}

// requireStored says that exactly this snapshot is stored.
func requireStored(t testing.TB, st store.Mirror, want store.Snapshot) {
	t.Helper()
	got, err := st.LoadRun(t.Context(), want.Record.TenantID, want.Record.RunID)
	require.NoError(t, err)
	want.Current = false // is of the moment of the save
	require.Equal(t, asJSON(t, want.Record), asJSON(t, got.Record))
	require.Equal(t, want, got)
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	return string(raw)
}

// pages follows the cursors and returns all run IDs, with the number of pages.
func pages(ctx context.Context, t testing.TB, st store.Mirror, q store.Query) (ids []string, count int) {
	t.Helper()
	for {
		page, err := st.ListRuns(ctx, q)
		require.NoError(t, err)
		count++
		for _, r := range page.Runs {
			require.Equal(t, q.Tenant, r.TenantID)
			ids = append(ids, r.RunID)
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			return ids, count
		}
		require.Len(t, page.Runs, q.Limit, "only the last page is short")
	}
}

func id(n int) string { return fmt.Sprintf("run-%016x", n) }
