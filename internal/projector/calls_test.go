package projector_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

// one is a source with one run that was made while the store was away.
type one struct{ folded history.Folded }

func (one) Whole(context.Context, string) (runs.Whole, error) { return runs.Whole{}, nil }

func (o one) Fold(runs.Whole) (history.Folded, error) { return o.folded, nil }

func (one) CountClosedBetween(context.Context, time.Time, time.Time) (int, error) { return 0, nil }

func (one) ClosedBetween(context.Context, time.Time, time.Time, func([]runs.Listed) error) error {
	return nil
}

func (one) OpenRuns(context.Context, func([]runs.Listed) error) error { return nil }

// failing is a mirror whose ledger gives an error so often.
type failing struct {
	*memory.Store
	err   error
	times int
}

func (f *failing) BeginAttempt(ctx context.Context, a ledger.Attempt) (int, error) {
	if f.times > 0 {
		f.times--
		return 0, f.err
	}
	return f.Store.BeginAttempt(ctx, a)
}

func madeWithoutAStore() one {
	at := time.Unix(9, 0).UTC()
	return one{history.Folded{
		Record: run.Record{RunID: "run-1", TenantID: "acme", TemporalRunID: "t", Status: run.Completed, LastEventID: 9, CreatedAt: &at, FinishedAt: &at},
		Unrecorded: []history.Unrecorded{{
			TenantID: "acme", RunID: "run-1", TaskID: "engineer", Call: 1,
			Attempts: []history.Attempt{{Source: "s", State: "answered", PromptSHA256: "ab", StartedAt: at, FinishedAt: at}},
			Answer:   &history.TaskResult{},
		}},
	}}
}

// TestCallsThatWereMadeWithoutAStoreAreRecorded when it is back, before the mirror
// says that the run has ended: until then the run is projected again.
func TestCallsThatWereMadeWithoutAStoreAreRecorded(t *testing.T) {
	t.Parallel()
	mirror := &failing{Store: memory.New(), err: store.ErrUnavailable, times: 1}
	dirty := projector.NewDirty()
	p := projector.New(madeWithoutAStore(), mirror, dirty, projector.Options{})
	dirty.Mark("run-1")
	require.ErrorIs(t, p.Drain(t.Context()), store.ErrUnavailable)
	require.Equal(t, 1, dirty.Len(), "it is tried again")
	_, err := mirror.LoadRun(t.Context(), "acme", "run-1")
	require.ErrorIs(t, err, store.ErrNotFound)

	require.NoError(t, p.Drain(t.Context()))
	key := ledger.CallKey{Tenant: "acme", RunID: "run-1", TaskID: "engineer", Call: 1}
	rows, err := mirror.Attempts(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, ledger.Answered, rows[0].State)
	_, err = mirror.LoadAnswer(t.Context(), key, "ab")
	require.NoError(t, err)
	_, err = mirror.LoadRun(t.Context(), "acme", "run-1")
	require.NoError(t, err)
}

func TestALedgerThatRefusesDoesNotHideTheRun(t *testing.T) {
	t.Parallel()
	mirror := &failing{Store: memory.New(), err: context.DeadlineExceeded, times: 1}
	p := projector.New(madeWithoutAStore(), mirror, projector.NewDirty(), projector.Options{})
	require.NoError(t, p.Project(t.Context(), "run-1"))
	_, err := mirror.LoadRun(t.Context(), "acme", "run-1")
	require.NoError(t, err)
}
