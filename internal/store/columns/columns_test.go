package columns

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// TestRunsCoverTheRecord: a field that is added to the record gets a column, or
// a place in the list of those that are only in the row's record.
func TestRunsCoverTheRecord(t *testing.T) {
	t.Parallel()
	requireCover(t, leaves(reflect.TypeFor[run.Record](), "tasks"), Names(Runs()),
		[]string{"request_text", "final_message", "awaits_plan"},
		[]string{"builder_version", "is_terminal", "listing", "record"})
}

func TestTasksCoverTheTask(t *testing.T) {
	t.Parallel()
	requireCover(t, leaves(reflect.TypeFor[run.Task](), "prompt", "hostPrompt"), Names(Tasks()),
		[]string{"continue_on_upstream_failure"}, []string{"tenant_id", "run_id"})
}

// requireCover says that fields and columns are the same, but for those that
// have no column and those that are no field.
func requireCover(t *testing.T, fields [][2]string, names, withoutColumn, withoutField []string) {
	t.Helper()
	require.NotEmpty(t, fields)
	missing, surplus := slices.Clone(withoutColumn), slices.Clone(names)
	for _, field := range fields {
		// A field is named by itself or, where that says too little, with its object.
		alone, whole := field[1], strings.TrimPrefix(field[0]+"_"+field[1], "_")
		if i := slices.Index(missing, whole); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			continue
		}
		column := whole
		if !slices.Contains(names, whole) {
			column = alone
		}
		require.Contains(t, surplus, column, "the field %v has no column", field)
		surplus = slices.DeleteFunc(surplus, func(name string) bool { return name == column })
	}
	require.Empty(t, missing, "listed as without a column, and no field")
	require.ElementsMatch(t, withoutField, surplus)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names), "no column twice")
}

// leaves lists the fields of a record with the object they stand in, as
// {object, name} in snake_case. Objects of the JSON that are one value to a
// dashboard (lists, metadata) count as one field.
func leaves(of reflect.Type, except ...string) (list [][2]string) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || slices.Contains(except, name) {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() != reflect.Struct || inner == reflect.TypeFor[time.Time]() || inner == reflect.TypeFor[run.ProviderMeta]() {
			list = append(list, [2]string{"", snake(name)})
			continue
		}
		for _, leaf := range leaves(inner) {
			list = append(list, [2]string{snake(name), leaf[1]})
		}
	}
	return list
}

func snake(camel string) string {
	var out strings.Builder
	for _, r := range camel {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

func TestValues(t *testing.T) {
	t.Parallel()
	at, cost, zero := time.Unix(5, 0).UTC(), "0.10", int64(0)
	s := store.Snapshot{Builder: 3, Record: run.Record{
		TenantID: "t", RunID: "r", Status: run.Completed, CreatedAt: &at,
		Usage: run.Usage{CostUSD: &cost, InputTokens: &zero},
	}}
	values, err := Values(Runs(), &Run{Snapshot: &s, Encoded: &store.Encoded{Record: []byte("{}")}},
		func(_ Kind, value any) (any, error) { return value, nil })
	require.NoError(t, err)
	got := make(map[string]any)
	for i, name := range Names(Runs()) {
		got[name] = values[i]
	}
	for name, want := range map[string]any{
		"tenant_id": "t", "status": "completed", "is_terminal": true, "builder_version": int64(3),
		"created_at": at, "started_at": nil, "temporal_run_id": "", "chain_name": nil,
		"cost_usd": "0.10", "input_tokens": int64(0), "output_tokens": nil, "unpriced_calls": int64(0),
		"warnings": nil, "request_attachments": nil, "error_code": nil, "record": []byte("{}"),
	} {
		require.Equal(t, want, got[name], name)
	}
}

func TestAttemptsAndClosingsAreOneRow(t *testing.T) {
	t.Parallel()
	all := append(Names(Attempts()), Names(Closings())...)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all), "no column twice")
	closing := ledger.Closing{State: ledger.Answered}
	values, err := Values(Closings(), &closing, func(_ Kind, value any) (any, error) { return value, nil })
	require.NoError(t, err)
	require.Equal(t, "answered", values[slices.Index(Names(Closings()), "state")])
	require.Nil(t, values[slices.Index(Names(Closings()), "finished_at")])
}
