package postgres

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

func TestCleanJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "plain", "\x00", "a\x00b\x00", `\u0000`, `\\u0000`, "\\\x00", "\\\\\x00\\u0000", "quote \" \x00",
	} {
		raw, err := json.Marshal([]string{text})
		require.NoError(t, err)
		var got []string
		require.NoError(t, json.Unmarshal(cleanJSON(raw), &got))
		require.Equal(t, []string{clean(text)}, got)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind        columns.Kind
		value, want any
	}{
		{columns.Text, nil, nil},
		{columns.Text, "a\x00\xff", "a\uFFFD\uFFFD"},
		{columns.Key, "a\x00", "a\x00"}, // Postgres is to refuse it
		{columns.Strings, []string{"\x00"}, []string{"\uFFFD"}},
		{columns.JSON, map[string]string{"a": "\x00"}, `{"a":"` + "\uFFFD" + `"}`},
		{columns.Bytes, []byte{0}, []byte{0}},
		{columns.Int, int64(7), int64(7)},
	} {
		got, err := write(c.kind, c.value)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

// TestDashboardColumns: SQL reads the columns as numbers, times and lists, and
// the record itself as JSON.
func TestDashboardColumns(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	cost, tokens := "0.012300000000000001", int64(1)<<40
	usage := run.Usage{CostUSD: &cost, OutputTokens: &tokens}
	r := run.Record{
		TenantID: "t", RunID: "r", Usage: usage, Warnings: []string{"one", "two\x00"},
		Tasks: []run.Task{
			{ID: "a", Seq: 1, Output: "NUL \x00", Usage: usage, ProviderMeta: &run.ProviderMeta{FinishReason: "st\x00p"}},
			{ID: "b", Seq: 2, Needs: []string{"a"}, Usage: usage},
		},
	}
	_, err := s.SaveRun(t.Context(), store.Snapshot{Record: r})
	require.NoError(t, err)

	require.Equal(t, []string{"0.024600000000000002 / 2199023255552"}, column(t, s, `
select sum(cost_usd) || ' / ' || sum(output_tokens) from tutti.tasks where tenant_id = 't'`))
	require.Equal(t, []string{"NUL \uFFFD", "st\uFFFDp"}, column(t, s, `
select unnest(array[output, provider_meta ->> 'finishReason']) from tutti.tasks where id = 'a'`))
	require.Equal(t, []string{"b"}, column(t, s, `select id from tutti.tasks where 'a' = any (needs)`))
	require.Equal(t, []string{"true"}, column(t, s, `
select (input_tokens is null and cost_usd is not null and warnings[2] = $1)::text from tutti.runs`, "two\uFFFD"))
	// A record without NUL is JSON to Postgres.
	r.Warnings, r.Tasks, r.LastEventID = nil, nil, 1
	_, err = s.SaveRun(t.Context(), store.Snapshot{Record: r})
	require.NoError(t, err)
	require.Equal(t, []string{"r"}, column(t, s, `select convert_from(record, 'UTF8')::jsonb ->> 'runId' from tutti.runs`))
	require.Empty(t, column(t, s, `select id from tutti.tasks`))
}

// TestKeysAreNotCleaned: a key that Postgres cannot hold is refused for good,
// so that no two runs become one and nobody tries again.
func TestKeysAreNotCleaned(t *testing.T) {
	t.Parallel()
	s := openTest(t, migrated(t))
	_, err := s.SaveRun(t.Context(), store.Snapshot{Record: run.Record{TenantID: "t", RunID: "r\x00"}})
	require.Error(t, err)
	require.NotErrorIs(t, err, store.ErrUnavailable)
	require.NotErrorIs(t, err, store.ErrSchema)
}
