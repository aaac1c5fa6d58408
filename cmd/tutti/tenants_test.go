package main_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

// tenant is the same user, data directory and database under another tenant.
func (s *stage) tenant(name string) *stage {
	other := *s
	other.env = append(append([]string{}, s.env...), "TUTTI_TENANT="+name)
	return &other
}

// stranger reads under another tenant and must see nothing of a secret or of these runs.
type stranger struct {
	*stage
	secret string
	runs   []string
	reads  int
}

// sees runs a command that must end with this code. A run's ID may be in the answer only when it
// was in the question.
func (s *stranger) sees(code int, args ...string) string {
	s.t.Helper()
	p, got := s.tutti(args...)
	require.Equal(s.t, code, got, "tutti %s:\n%s", strings.Join(args, " "), p.Output())
	require.NotContains(s.t, p.Output(), s.secret, "%v", args)
	for _, id := range s.runs {
		if !strings.Contains(strings.Join(args, " ")+" ", id+" ") {
			require.NotContains(s.t, p.Output(), id, "%v", args)
		}
	}
	s.reads++
	return p.Output()
}

// asks tries every command that takes a run.
func (s *stranger) asks(words ...string) {
	s.t.Helper()
	for _, word := range words {
		for _, args := range [][]string{
			{"run", "show", word},
			{"run", "show", word, "--json"},
			{"run", "watch", word},
			{"run", "events", word},
			{"run", "events", "--follow", word},
			{"run", "output", word},
			{"run", "output", word, "architect"},
			{"run", "prompt", word, "architect"},
			{"run", "cancel", word},
			{"host", "next", word},
			{"host", "next", word, "--takeover"},
			{"host", "submit", word, "architect", "-f", "theirs.txt"},
			{"host", "fail", word, "architect", "--reason", "x"},
		} {
			require.Contains(s.t, s.sees(2, args...), "tenant beta has no run", "%v", args)
		}
	}
}

// lists tries every command that finds runs by itself.
func (s *stranger) lists() {
	s.t.Helper()
	for _, args := range [][]string{
		{"run", "list"},
		{"run", "list", "--json"},
		{"run", "list", "-o", "name"},
		{"run", "list", "--status", "awaiting-host"},
		{"doctor"},
		{"__complete", "run", "show", ""},
		{"__complete", "run", "show", "run-"},
	} {
		s.sees(0, args...)
	}
	s.sees(3, "host", "next")
}

// X1: two tenants on one Temporal namespace, one database and one data directory. Whatever beta asks, by
// ID, prefix, @last, list, completion, key or digest, from Temporal, the mirror or the archive, it sees
// nothing of alpha's; and in SQL nothing of alpha's stands under beta.
func TestNoTenantSeesAnythingOfAnother(t *testing.T) {
	t.Parallel()
	const secret = "ALPHA-SECRET-8c1e2d"
	s := newStage(t)
	dsn := testenv.Postgres(t)
	s.team(dsn)
	s.worker()
	alpha, beta := s.tenant("alpha"), &stranger{stage: s.tenant("beta"), secret: secret}
	long := strings.Repeat(secret+" in a long text\n", 2000)
	s.write("secret.txt", long)
	s.write("theirs.txt", "nothing of alpha's")
	ended := alpha.host(secret, "-f", "secret.txt", "--chain", "architect -> reviewer", "--idempotency-key", "k")
	alpha.accepted(ended, "architect", long)
	alpha.accepted(ended, "reviewer", secret)
	require.Equal(t, run.Completed, alpha.show(ended).Status)
	waiting := alpha.host(secret+" waits", "--chain", "architect")
	beta.runs = []string{ended, waiting}
	s.settled(2)

	require.Equal(t, waiting, alpha.show("@last").RunID)
	beta.asks(ended, ended[:12], waiting, waiting[:12], "@last")
	beta.lists()
	require.Equal(t, run.AwaitingHost, alpha.show(waiting).Status, "nothing that beta tried changed anything")

	// The same key is another run, and a digest of alpha's text leads to no text.
	own := beta.host("mine", "--chain", "architect -> reviewer", "--idempotency-key", "k")
	require.NotEqual(t, ended, own)
	digest := content.Digest(long)
	require.Equal(t, digest, alpha.show(ended).Tasks[0].OutputSHA256)
	s.cli("workflow", "update", "execute", "--workflow-id", own, "--name", "submit-task-result", "--input",
		fmt.Sprintf(`{"taskId": "architect", "outcome": "done", "outputRef": {"sha256": %q, "size": %d}}`, digest, len(long)))
	beta.sees(5, "run", "output", own, "architect")
	beta.sees(0, "run", "show", own, "--json")
	beta.sees(0, "run", "cancel", own)
	beta.sees(1, "run", "watch", own)

	// From Temporal alone, and from the archive alone.
	s.settled(3)
	down := &stranger{stage: s.tenant("beta"), secret: secret, runs: beta.runs}
	down.env = append(down.env, "DATABASE_URL=postgres://127.0.0.1:1/none")
	require.Contains(t, down.sees(0, "run", "list", "-o", "name"), own, "beta's own run is listed")
	s.forget(ended)
	beta.asks(ended, ended[:12])
	require.Equal(t, long, alpha.must("run", "output", ended, "architect"), "alpha goes on reading")

	alphas, betas, tables := s.rowsWith(dsn, secret)
	require.GreaterOrEqual(t, alphas, 5, "the secret is where it belongs")
	require.Zero(t, betas)
	testenv.Seen(t, "%d reads as beta, by ID, prefix, @last, list, completion, digest, without the database and from the archive: nothing of alpha's; "+
		"in %d tables and views %d rows of alpha's hold the secret, %d of beta's", beta.reads+down.reads, tables, alphas, betas)
}

// rowsWith counts the rows of both tenants that hold a text, as characters or as bytes.
func (s *stage) rowsWith(dsn, text string) (alphas, betas, tables int) {
	s.t.Helper()
	counts := func(table, tenant string) (n int) {
		pattern := fmt.Sprintf("%%(%s|%s)%%", text, hex.EncodeToString([]byte(text)))
		found := s.sql(dsn, fmt.Sprintf("select count(*)::text from %s as r where tenant_id = '%s' and r::text similar to '%s'", table, tenant, pattern))
		_, err := fmt.Sscan(found[0], &n)
		require.NoError(s.t, err)
		return n
	}
	for _, table := range s.sql(dsn, `
select table_schema || '.' || table_name from information_schema.columns
where table_schema in ('tutti', 'tutti_kept') and column_name = 'tenant_id'`) {
		alphas, betas, tables = alphas+counts(table, "alpha"), betas+counts(table, "beta"), tables+1
	}
	require.Empty(s.t, s.sql(dsn, `
select i.indexrelid::regclass::text from pg_index i
join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'tenant_id'
join pg_namespace n on n.oid = (select relnamespace from pg_class where oid = i.indrelid)
where n.nspname in ('tutti', 'tutti_kept') and i.indkey[0] <> a.attnum
  and i.indexrelid::regclass::text <> 'tutti.runs_by_builder' -- the sweeper's, which folds every tenant's rows`), "every index begins with the tenant")
	return alphas, betas, tables
}
