package runs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

func TestEveryStatusHasItsWordsInTemporal(t *testing.T) {
	t.Parallel()
	for _, s := range run.Statuses() {
		require.NotEmpty(t, executionStatuses(s), "%s", s)
		require.Equal(t, !s.IsTerminal(), executionStatuses(s)[0] == "Running", "%s", s)
	}
}

func TestTheQuerySaysWhatTemporalCanAnswer(t *testing.T) {
	t.Parallel()
	require.Equal(t, "WorkflowType = 'tutti.Run'", visibilityQuery(store.Query{Tenant: "default", Chain: "one"}))
	since := time.Date(2026, 1, 31, 12, 0, 0, 5000, time.FixedZone("east", 60*60))
	require.Equal(t, "WorkflowType = 'tutti.Run' AND StartTime >= '2026-01-31T11:00:00.000005Z'"+
		" AND ExecutionStatus IN ('Failed', 'Running', 'Terminated', 'TimedOut') AND WorkflowId STARTS_WITH 'run-1'",
		visibilityQuery(store.Query{
			Since: since, IDPrefix: "run-1",
			Statuses: []run.Status{run.Planned, run.Running, run.Errored, run.CompletedWithFailures},
		}))
	require.Equal(t, "WorkflowType = 'tutti.Run'", visibilityQuery(store.Query{IDPrefix: "' OR 'a' = 'a"}))
	require.Equal(t, `'o\'neil\\'`, quote(`o'neil\`))
}

func TestOnlyACursorFromHereContinuesAList(t *testing.T) {
	t.Parallel()
	token, err := parseToken("")
	require.NoError(t, err)
	require.Empty(t, token)
	token, err = parseToken(tokenPrefix + "bW9yZQ")
	require.NoError(t, err)
	require.Equal(t, "more", string(token))
	for _, foreign := range []string{"bW9yZQ", tokenPrefix + "!", store.Cursor{RunID: "run-1"}.String()} {
		_, err := parseToken(foreign)
		require.ErrorIs(t, err, store.ErrCursor, foreign)
	}
}
