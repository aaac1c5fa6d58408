package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

func callKey() ledger.CallKey {
	return ledger.CallKey{Tenant: tenant, RunID: id(1), TaskID: "größe/1", Call: 1}
}

func attempt(source string) ledger.Attempt {
	return ledger.Attempt{
		CallKey: callKey(), Source: source, Kind: "model", IdempotencyClass: "at-least-once",
		Provider: "demo", Model: "echo", PromptSHA256: "ab", StartedAt: start().Truncate(time.Microsecond),
	}
}

func testAttempts(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	begin := func(a ledger.Attempt, want int) {
		t.Helper()
		number, err := st.BeginAttempt(ctx, a)
		require.NoError(t, err)
		require.Equal(t, want, number)
	}
	begin(attempt("r/a/1"), 1)
	begin(attempt("r/a/2"), 2)
	begin(attempt("r/a/1"), 1) // the same execution asks again
	other := attempt("r/b/1")
	other.Call = 2
	begin(other, 1)
	again := attempt("r/a/2") // a source is unique in its tenant, whatever call it names
	again.Call = 3
	begin(again, 2)

	closing := ledger.Closing{
		State: ledger.Answered, Class: "ok", RequestID: "req-1", FinishedAt: start().Truncate(time.Microsecond),
		Usage: run.Usage{
			InputTokens: pointer[int64](0), OutputTokens: pointer[int64](7), CostUSD: pointer("0.10"), UnpricedCalls: 1,
		},
	}
	for _, c := range []struct {
		attempt int
		closing ledger.Closing
		closes  bool
	}{
		{1, closing, true},
		{1, ledger.Closing{State: ledger.Uncertain}, false},
		{1, closing, false},
		{9, closing, false}, // there is none
	} {
		closed, err := st.CloseAttempt(ctx, callKey(), c.attempt, c.closing)
		require.NoError(t, err)
		require.Equal(t, c.closes, closed)
	}
	first, second := attempt("r/a/1"), attempt("r/a/2")
	first.Attempt, first.Closing = 1, closing
	second.Attempt, second.State = 2, ledger.Started
	list, err := st.Attempts(ctx, callKey())
	require.NoError(t, err)
	require.Equal(t, []ledger.Attempt{first, second}, list)
	none := callKey()
	none.Call = 3
	list, err = st.Attempts(ctx, none)
	require.NoError(t, err)
	require.Empty(t, list)
}

// testAttemptsAtOnce: many begin and close at the same time. The numbers have
// no gap and no twin, a source has one number, and an attempt is closed once.
func testAttemptsAtOnce(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	const sources, each = 16, 3
	numbers := make([]int, sources*each)
	closed := make([]bool, sources*each)
	var group errgroup.Group
	for i := range numbers {
		group.Go(func() (err error) {
			numbers[i], err = st.BeginAttempt(t.Context(), attempt(fmt.Sprint("r/a/", i%sources)))
			if err != nil {
				return err
			}
			closed[i], err = st.CloseAttempt(t.Context(), callKey(), numbers[i], ledger.Closing{
				State: ledger.Failed, RequestID: fmt.Sprint(i),
			})
			return err
		})
	}
	require.NoError(t, group.Wait())
	list, err := st.Attempts(t.Context(), callKey())
	require.NoError(t, err)
	require.Len(t, list, sources)
	for i, a := range list {
		require.Equal(t, i+1, a.Attempt)
		var closers []string
		for j := range numbers {
			if numbers[j] == a.Attempt {
				require.Equal(t, a.Source, fmt.Sprint("r/a/", j%sources))
				if closed[j] {
					closers = append(closers, fmt.Sprint(j))
				}
			}
		}
		require.Equal(t, []string{a.RequestID}, closers)
	}
}

func testAnswers(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	_, err := st.LoadAnswer(ctx, callKey(), "p1")
	require.ErrorIs(t, err, ledger.ErrNotFound)

	const writers = 16
	stored := make([]ledger.Answer, writers)
	var group errgroup.Group
	for i := range stored {
		group.Go(func() (err error) {
			stored[i], err = st.SaveAnswer(ctx, ledger.Answer{
				CallKey: callKey(), PromptSHA256: "p1",
				Body:     fmt.Appendf(nil, "answer \x00\xff of %d", i),
				StoredAt: start().Truncate(time.Microsecond).Add(time.Duration(i) * time.Second),
			})
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.Len(t, slices.CompactFunc(stored, func(a, b ledger.Answer) bool {
		return string(a.Body) == string(b.Body) && a.StoredAt.Equal(b.StoredAt)
	}), 1, "everybody got the same answer")
	loaded, err := st.LoadAnswer(ctx, callKey(), "p1")
	require.NoError(t, err)
	require.Equal(t, stored[0], loaded)

	for _, body := range [][]byte{{}, []byte("for another prompt")} {
		prompt := fmt.Sprint("p", 2+len(body))
		_, err = st.LoadAnswer(ctx, callKey(), prompt)
		require.ErrorIs(t, err, ledger.ErrNotFound)
		kept, err := st.SaveAnswer(ctx, ledger.Answer{CallKey: callKey(), PromptSHA256: prompt, Body: body})
		require.NoError(t, err)
		require.Equal(t, string(body), string(kept.Body))
	}
}
