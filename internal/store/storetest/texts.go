package storetest

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// testTexts: a record keeps NUL in every text. A byte that is not UTF-8 cannot
// stand in JSON and comes back as U+FFFD, from every store alike.
func testTexts(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	const odd = "NUL \x00, \\u0000, \\\x00, \u2028, \U0001F9D1, </script>"
	r := record(tenant, id(1))
	r.PrincipalID, r.Request.Text, r.FinalMessage = odd, odd, odd
	r.Request.Attachments[0].Name, r.Warnings = odd, []string{odd}
	r.Chain.Name, r.DegradationReasons = odd, []string{odd}
	r.Error = &run.RunError{Code: run.CodeInternal, Message: odd}
	task := &r.Tasks[0]
	task.Output, task.Reason, task.Warnings, task.ProviderMeta.RequestID = odd, odd, []string{odd}, odd
	task.Degradations[0].Detail = odd
	s := snapshot(r, 1)
	s.Events = append(s.Events, run.Stamped{
		Event: run.TaskAnswered{OfTask: run.OfTask{TaskID: "architect"}, Output: content.Of(odd)}, EventID: 2, At: start(),
	})
	require.True(t, save(t, st, s))
	requireStored(t, st, s)

	bad := record(tenant, id(2))
	bad.Tasks[0].Output, bad.Request.Summary = "a\xff\xfeb\x00", "\xc3"
	require.True(t, save(t, st, snapshot(bad, 1)))
	bad.Tasks[0].Output, bad.Request.Summary = "a\uFFFD\uFFFDb\x00", "\uFFFD"
	requireStored(t, st, snapshot(bad, 1))
}

func testContents(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	large := make([]byte, 4<<20)
	random := rand.NewChaCha8([32]byte{})
	_, err := random.Read(large)
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"empty": {}, "nil": nil, "NUL": []byte("\x00a\x00"), "not UTF-8": []byte("\xff\xfe\xc3"), "4 MB": large,
	} {
		digest := content.Digest(string(text))
		require.NoError(t, st.PutContent(ctx, tenant, digest, text), name)
		require.NoError(t, st.PutContent(ctx, tenant, digest, text), "again")
		got, err := st.GetContent(ctx, tenant, digest)
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, got), name)
	}
	digest := content.Digest(string(large))
	for _, no := range []string{digest[:12], digest + "0", "", "../" + digest, "%", digest[:63] + "%"} {
		_, err := st.GetContent(ctx, tenant, no)
		require.ErrorIs(t, err, content.ErrNotFound, no)
	}
	kept, err := content.Keep(ctx, st, tenant, string(large), content.InlineLimit)
	require.NoError(t, err)
	fetched, err := content.Fetch(ctx, st, tenant, kept)
	require.NoError(t, err)
	require.Equal(t, digest, content.Digest(fetched))
}

// testContext: nothing is done for a caller who waits no more.
func testContext(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	key := ledger.CallKey{Tenant: tenant, RunID: id(1), TaskID: "a", Call: 1}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	errorOf := func(_ any, err error) error { return err }
	for name, call := range map[string]func() error{
		"SaveRun": func() error { return errorOf(st.SaveRun(ctx, snapshot(record(tenant, id(1)), 1))) },
		"SaveAll": func() error {
			return st.SaveAll(ctx, []store.Projection{{Snapshot: snapshot(record(tenant, id(1)), 1), History: historyOf(tenant, id(1))}})
		},
		"LoadRun":      func() error { return errorOf(st.LoadRun(ctx, tenant, id(1))) },
		"ListRuns":     func() error { return errorOf(st.ListRuns(ctx, store.Query{Tenant: tenant})) },
		"OpenRuns":     func() error { return errorOf(st.OpenRuns(ctx, 1, "")) },
		"OutdatedRuns": func() error { return errorOf(st.OutdatedRuns(ctx, 1, 1, store.Open{})) },
		"EndedRuns":    func() error { return errorOf(st.EndedRuns(ctx, 1, []store.Open{{Tenant: tenant, RunID: id(1)}})) },
		"Watermark":    func() error { return errorOf(st.Watermark(ctx)) },
		"SetWatermark": func() error { return st.SetWatermark(ctx, start()) },
		"PutContent":   func() error { return st.PutContent(ctx, tenant, content.Digest("x"), []byte("x")) },
		"GetContent":   func() error { return errorOf(st.GetContent(ctx, tenant, content.Digest("x"))) },
		"BeginAttempt": func() error { return errorOf(st.BeginAttempt(ctx, ledger.Attempt{CallKey: key, Source: "s"})) },
		"CloseAttempt": func() error { return errorOf(st.CloseAttempt(ctx, key, 1, ledger.Closing{State: ledger.Failed})) },
		"Attempts":     func() error { return errorOf(st.Attempts(ctx, key)) },
		"SaveAnswer":   func() error { return errorOf(st.SaveAnswer(ctx, ledger.Answer{CallKey: key, PromptSHA256: "p"})) },
		"LoadAnswer":   func() error { return errorOf(st.LoadAnswer(ctx, key, "p")) },
		"Check":        func() error { return st.Check(ctx) },
	} {
		err := call()
		require.ErrorIs(t, err, context.Canceled, name)
		require.NotErrorIs(t, err, store.ErrUnavailable, name)
	}
	_, err := st.LoadRun(t.Context(), tenant, id(1))
	require.ErrorIs(t, err, store.ErrNotFound, "nothing was saved, and the store still works")
}
