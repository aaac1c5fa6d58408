package kept_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/kept"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store/memory"
)

func at(second int64) time.Time { return time.Unix(second, 0).UTC() }

func key() ledger.CallKey {
	return ledger.CallKey{Tenant: "acme", RunID: "run-1", TaskID: "engineer", Call: 1}
}

func travelled() history.Unrecorded {
	tokens, cost := int64(7), "0.1"
	return history.Unrecorded{
		TenantID: "acme", RunID: "run-1", TaskID: "engineer", Call: 1, Provider: "fake", Model: "m",
		Price: &run.Price{ID: "p1", Input: "1", Output: "2"},
		Attempts: []history.Attempt{
			{Source: "r/engineer/1/1", State: "started", StartedAt: at(1), PriceID: "p1"},
			{Source: "r/engineer/1/2", State: "failed", Class: "timeout", StartedAt: at(2), FinishedAt: at(3), PriceID: "another"},
			{
				Source: "r/engineer/1/3", State: "answered", RequestID: "req", PromptSHA256: "ab", PriceID: "p1",
				StartedAt: at(4), FinishedAt: at(5), Usage: run.Usage{InputTokens: &tokens, CostUSD: &cost},
			},
		},
		Answer: &history.TaskResult{Output: content.Of("ok"), Unrecorded: []history.Attempt{{Source: "x"}}},
	}
}

func TestWhatTravelledIsRecordedOnce(t *testing.T) {
	t.Parallel()
	s := memory.New()
	for range 3 {
		require.NoError(t, kept.Record(t.Context(), s, travelled()))
	}
	rows, err := s.Attempts(t.Context(), key())
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, ledger.Uncertain, rows[0].State, "a worker that was lost could not say more")
	require.Equal(t, 1, rows[0].Usage.CallsUncertain)
	require.Equal(t, ledger.Failed, rows[1].State)
	require.Empty(t, rows[1].PriceID, "a price that nobody knows is not pointed at")
	last := rows[2]
	require.Equal(t, travelled().Attempts[2], kept.Travelling(last), "there and back")
	require.Equal(t, kept.Kind, last.Kind)
	price, err := s.LoadPrice(t.Context(), "acme", "p1")
	require.NoError(t, err)
	require.Equal(t, "2", price.Output)

	answer, err := s.LoadAnswer(t.Context(), key(), "ab")
	require.NoError(t, err)
	stored, err := history.DecodeAnswer(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "r/engineer/1/3", stored.By.Source)
	require.Equal(t, "ok", stored.Result.Output.Inline)
	require.Empty(t, stored.Result.Unrecorded)
}

// TestWhatIsRecordedStays: a row and an answer that are there already are worth
// more than what travelled, except what was only called uncertain.
func TestWhatIsRecordedStays(t *testing.T) {
	t.Parallel()
	s := memory.New()
	ctx := t.Context()
	for i, state := range []ledger.State{ledger.Abandoned, ledger.Uncertain} {
		a := ledger.Attempt{CallKey: key(), Source: travelled().Attempts[i+1].Source}
		n, err := s.BeginAttempt(ctx, a)
		require.NoError(t, err)
		_, err = s.CloseAttempt(ctx, key(), n, ledger.Closing{State: state})
		require.NoError(t, err)
	}
	_, err := s.SaveAnswer(ctx, ledger.Answer{CallKey: key(), PromptSHA256: "ab", Body: []byte("first")})
	require.NoError(t, err)
	require.NoError(t, kept.Record(ctx, s, travelled()))
	rows, err := s.Attempts(ctx, key())
	require.NoError(t, err)
	require.Equal(t, ledger.Abandoned, rows[0].State)
	require.Equal(t, ledger.Answered, rows[1].State)
	answer, err := s.LoadAnswer(ctx, key(), "ab")
	require.NoError(t, err)
	require.Equal(t, "first", string(answer.Body))
}

var errAway = errors.New("away")

// away is a store of which one question cannot be asked.
type away struct {
	*memory.Store
	price, begin, save bool
}

func (a away) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	if a.price {
		return errAway
	}
	return a.Store.RecordPrice(ctx, p)
}

func (a away) BeginAttempt(ctx context.Context, at ledger.Attempt) (int, error) {
	if a.begin {
		return 0, errAway
	}
	return a.Store.BeginAttempt(ctx, at)
}

func (a away) SaveAnswer(ctx context.Context, answer ledger.Answer) (ledger.Answer, error) {
	if a.save {
		return ledger.Answer{}, errAway
	}
	return a.Store.SaveAnswer(ctx, answer)
}

func TestTheStoresErrorsAreHandedOn(t *testing.T) {
	t.Parallel()
	for _, s := range []away{{price: true}, {begin: true}, {save: true}} {
		s.Store = memory.New()
		require.ErrorIs(t, kept.Record(t.Context(), s, travelled()), errAway)
	}
}
