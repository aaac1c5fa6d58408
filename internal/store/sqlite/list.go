package sqlite

import (
	"context"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// ListRuns implements store.Mirror.
func (s *Store) ListRuns(ctx context.Context, q store.Query) (store.Page, error) {
	limit, after, err := q.Bounds()
	if err != nil {
		return store.Page{}, err
	}
	query, args := listing(q, limit, after)
	var records []run.Record
	err = s.each(ctx, "list runs", func(scan func(...any) error) error {
		var raw []byte
		if err := scan(&raw); err != nil {
			return err
		}
		r, err := store.DecodeListing(raw)
		records = append(records, r)
		return err
	}, query, args...)
	if err != nil {
		return store.Page{}, err
	}
	return store.PageOf(records, limit), nil
}

// listing is the statement of one page: one walk along an index in the list's
// order. Of several statuses each is walked by itself, a page at most, and the
// walks are merged.
func listing(q store.Query, limit int, after *store.Cursor) (string, []any) {
	where, args := []string{"tenant_id = ?"}, []any{q.Tenant}
	when := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if q.Chain != "" {
		when("chain_name = ?", q.Chain)
	}
	if q.Backend != "" {
		when("worker_backend = ?", q.Backend)
	}
	if !q.Since.IsZero() {
		when("created_at >= ?", timeText(q.Since))
	}
	if q.IDPrefix != "" {
		when("run_id >= ? and run_id < ?", q.IDPrefix, q.IDPrefix+"\U0010FFFF") // above every character
	}
	if after != nil {
		when("(created_at, run_id) < (?, ?)", timeText(after.CreatedAt), after.RunID)
	}
	walk := func(status string) (string, []any) {
		conditions, values := where, args
		if status != "" {
			conditions, values = append(slices.Clone(where), "status = ?"), append(slices.Clone(args), status)
		}
		return `select listing, created_at, run_id from runs where ` + strings.Join(conditions, " and ") +
			` order by created_at desc, run_id desc limit ?`, append(slices.Clone(values), limit+1)
	}
	return merge(statusNames(q.Statuses), walk, limit)
}

func merge(statuses []string, walk func(string) (string, []any), limit int) (string, []any) {
	var walks []string
	var args []any
	for _, status := range statuses {
		query, values := walk(status)
		walks, args = append(walks, "select * from ("+query+")"), append(args, values...)
	}
	return `select listing from (` + strings.Join(walks, " union all ") +
		`) order by created_at desc, run_id desc limit ?`, append(args, limit+1)
}

// statusNames lists each status once; one empty name stands for no condition.
func statusNames(statuses []run.Status) []string {
	if len(statuses) == 0 {
		return []string{""}
	}
	names := make([]string, len(statuses))
	for i, status := range statuses {
		names[i] = string(status)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
