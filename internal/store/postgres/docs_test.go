package postgres

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// populated has one run with a task in most of the states that views look for.
func populated(t *testing.T) *Store {
	t.Helper()
	s := openTest(t, migrated(t))
	tokens, cost := int64(7), "0.25"
	known := run.Usage{InputTokens: &tokens, OutputTokens: &tokens, CostUSD: &cost}
	longAgo := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	saved, err := s.SaveRun(t.Context(), store.Snapshot{Record: run.Record{
		TenantID: "default", RunID: "run-1", Status: run.AwaitingHost, Chain: run.ChainRef{Name: "pair"}, Usage: known, UpdatedAt: &longAgo,
		Tasks: []run.Task{
			{ID: "a", Seq: 1, Status: run.TaskDone, Provider: "p", Model: "m", Calls: 2, Usage: known},
			{ID: "b", Seq: 2, Status: run.TaskFailed, Error: &run.Failure{Code: run.CodeAuth, Class: "auth"}},
			{ID: "c", Seq: 3, Status: run.TaskAwaitingHost},
			{ID: "d", Seq: 4, Status: run.TaskDone, Calls: 1, Usage: run.Usage{CallsUncertain: 1}},
		},
	}, Builder: 1, Current: true})
	require.NoError(t, err)
	require.True(t, saved)
	_, err = s.BeginAttempt(t.Context(), ledger.Attempt{
		CallKey: ledger.CallKey{Tenant: "default", RunID: "run-1", TaskID: "a", Call: 1}, Source: "s", Kind: "model",
	})
	require.NoError(t, err)
	return s
}

// TestTheExamplesOfThePageRun: each finds what it is about.
func TestTheExamplesOfThePageRun(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/sql.md")
	require.NoError(t, err)
	examples := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, examples, 9)
	s := populated(t)
	for _, example := range examples {
		sql := strings.ReplaceAll(example[1], "day > current_date - 30", "day > '1960-01-01'")
		rows, err := s.pool.Query(t.Context(), sql)
		require.NoError(t, err, sql)
		found, err := pgx.CollectRows(rows, pgx.RowToMap)
		require.NoError(t, err, sql)
		require.NotEmpty(t, found, sql)
	}
}

func TestTheViewsSayWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	s := populated(t)
	for query, want := range map[string][]string{
		`select task_id from tutti.awaiting_host`:                                                    {"c"},
		`select task_id from tutti.uncertain_calls`:                                                  {"d"},
		`select error_class || error_code || failures from tutti.failures_by_class`:                  {"auth" + string(run.CodeAuth) + "1"},
		`select chain_name || runs || ' ' || cost_usd from tutti.cost_by_chain`:                      {"pair1 0.25"},
		`select concat(provider, calls, '/', input_tokens) from tutti.usage_daily order by provider`: {"p2/7", "1/"},
		`select concat(tenant_id) from tutti.usage_daily group by tenant_id`:                         {"default"},
	} {
		require.Equal(t, want, column(t, s, query), query)
	}
}

// TestTheDashboardsRoleReadsAndDoesNothingElse, and sees no text beyond the mirror.
func TestTheDashboardsRoleReadsAndDoesNothingElse(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../../deploy/sql/dashboards.sql")
	require.NoError(t, err)
	s := populated(t)
	for range 2 {
		s.exec(t, string(script))
	}
	as := func(sql string) error {
		tx, err := s.pool.Begin(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
		_, err = tx.Exec(t.Context(), `set local role tutti_dashboards`)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), sql)
		return err
	}
	for _, readable := range []string{
		"tutti.runs", "tutti.tasks", "tutti.run_events", "tutti.awaiting_host", "tutti.usage_daily", "tutti.cost_by_chain",
		"tutti.failures_by_class", "tutti.uncertain_calls", "tutti_kept.model_calls", "tutti_kept.call_costs",
	} {
		require.NoError(t, as(`select * from `+readable), readable)
	}
	for _, refused := range []string{
		`select * from tutti_kept.contents`, `select * from tutti_kept.call_answers`, `select * from tutti_kept.run_history`,
		`select * from tutti_kept.specialists`, `delete from tutti.runs`, `update tutti.tasks set status = ''`,
		`insert into tutti.leases values ('a', 'b', now())`, `drop view tutti.awaiting_host`, `create table tutti.mine (id int)`,
	} {
		require.ErrorContains(t, as(refused), "SQLSTATE 42501", refused)
	}
}

func TestASpecialistsRowIsNeverChanged(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	require.NoError(t, s.RecordSpecialist(t.Context(), ledger.SpecialistRow{Tenant: "t", Name: "n", Version: "v", Definition: []byte("{}")}))
	_, err := s.pool.Exec(t.Context(), `update tutti_kept.specialists set definition = 'x'`)
	require.ErrorContains(t, err, "only added")
}
