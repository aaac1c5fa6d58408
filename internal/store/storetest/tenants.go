package storetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// tenantNames are names that a careless adapter takes for one another, for a
// path, for a pattern or for a statement.
func tenantNames() []string {
	return []string{
		"acme", "Acme", "acme ", "acme/1", "..", ".", "%", "_", "~acme", "größe", "gro\u0308ße", "東京/チーム", "👩‍🚀",
		"'; drop table runs; --", `a\b`, strings.Repeat("ü", 127), strings.Repeat("x", 255), strings.Repeat("x", 254),
	}
}

// testTenants puts the same IDs into every tenant, each with its own values:
// nobody finds another's.
func testTenants(t *testing.T, subject Subject) {
	st := subject.fresh(t)
	ctx := t.Context()
	key := func(tenant string) ledger.CallKey {
		return ledger.CallKey{Tenant: tenant, RunID: id(1), TaskID: "a", Call: 1}
	}
	for _, tenant := range tenantNames() {
		r := record(tenant, id(1))
		r.Request.Summary = "of " + tenant
		require.True(t, save(t, st, snapshot(r, 3)), tenant)
		require.NoError(t, st.PutContent(ctx, tenant, content.Digest("x"), []byte(tenant)))
		number, err := st.BeginAttempt(ctx, ledger.Attempt{CallKey: key(tenant), Source: "s", Model: tenant})
		require.NoError(t, err)
		require.Equal(t, 1, number, "a source is of its tenant")
		_, err = st.SaveAnswer(ctx, ledger.Answer{CallKey: key(tenant), PromptSHA256: "p", Body: []byte(tenant)})
		require.NoError(t, err)
	}
	for _, tenant := range tenantNames() {
		r := record(tenant, id(1))
		r.Request.Summary = "of " + tenant
		requireStored(t, st, snapshot(r, 3))
		page, err := st.ListRuns(ctx, store.Query{Tenant: tenant, IDPrefix: "run-"})
		require.NoError(t, err)
		require.Len(t, page.Runs, 1, tenant)
		require.Equal(t, "of "+tenant, page.Runs[0].Request.Summary)

		text, err := st.GetContent(ctx, tenant, content.Digest("x"))
		require.NoError(t, err)
		require.Equal(t, tenant, string(text))
		attempts, err := st.Attempts(ctx, key(tenant))
		require.NoError(t, err)
		require.Len(t, attempts, 1)
		require.Equal(t, tenant, attempts[0].Model)
		answer, err := st.LoadAnswer(ctx, key(tenant), "p")
		require.NoError(t, err)
		require.Equal(t, tenant, string(answer.Body))
	}
	requireNothing(t, st, "stranger", key("stranger"))
	requireNothing(t, st, "", key(""))
	testenv.Seen(t, "%d tenants with odd names and the same IDs, prefixes and digests: each finds its own, a stranger nothing", len(tenantNames()))
}

// requireNothing says that a tenant finds nothing of the others by ID, prefix,
// cursor, digest or key.
func requireNothing(t *testing.T, st store.Store, tenant string, key ledger.CallKey) {
	t.Helper()
	ctx := t.Context()
	_, err := st.LoadRun(ctx, tenant, id(1))
	require.ErrorIs(t, err, store.ErrNotFound)
	for _, q := range []store.Query{{}, {IDPrefix: "run-"}, {IDPrefix: id(1)}, {Cursor: store.Cursor{CreatedAt: *at(1e15), RunID: "z"}.String()}} {
		q.Tenant = tenant
		page, err := st.ListRuns(ctx, q)
		require.NoError(t, err)
		require.Empty(t, page.Runs)
	}
	_, err = st.GetContent(ctx, tenant, content.Digest("x"))
	require.ErrorIs(t, err, content.ErrNotFound)
	attempts, err := st.Attempts(ctx, key)
	require.NoError(t, err)
	require.Empty(t, attempts)
	_, err = st.LoadAnswer(ctx, key, "p")
	require.ErrorIs(t, err, ledger.ErrNotFound)
	closed, err := st.CloseAttempt(ctx, key, 1, ledger.Closing{State: ledger.Failed})
	require.NoError(t, err)
	require.False(t, closed)
}
