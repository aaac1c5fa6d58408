package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// ListRuns implements store.Mirror.
func (s *Store) ListRuns(ctx context.Context, q store.Query) (store.Page, error) {
	limit, after, err := q.Bounds()
	if err != nil {
		return store.Page{}, err
	}
	defer txscope.Enter(ctx)()
	sql, args := listing(q, limit, after)
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return store.Page{}, failed(ctx, "list runs", err)
	}
	encoded, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return store.Page{}, failed(ctx, "list runs", err)
	}
	records := make([]run.Record, 0, len(encoded))
	for _, raw := range encoded {
		r, err := store.DecodeListing(raw)
		if err != nil {
			return store.Page{}, err
		}
		records = append(records, r)
	}
	return store.PageOf(records, limit), nil
}

// listing is the statement of one page. The conditions that a query does not
// have are not in it, so that the plan for each set of conditions is one walk
// along an index in the list's order. Of several statuses each is walked by
// itself, a page at most, and the walks are merged.
func listing(q store.Query, limit int, after *store.Cursor) (string, []any) {
	where := conditionsOf(q, after)
	most := where.argument(limit + 1)
	statuses := statusNames(q.Statuses)
	switch len(statuses) {
	case 0:
		return walk(where.all, most), where.args
	case 1:
		where.add("status = %s", statuses[0])
		return walk(where.all, most), where.args
	}
	wanted := where.argument(statuses)
	return fmt.Sprintf(`
select page.listing from unnest(%s::text[]) as wanted (status)
cross join lateral (%s) page
order by page.created_at desc, page.run_id desc limit %s`,
		wanted, walk(append(where.all, "status = wanted.status"), most, "created_at", "run_id"), most), where.args
}

// conditions are those of a query, with their arguments.
type conditions struct {
	all  []string
	args []any
}

// argument adds an argument and returns its parameter.
func (c *conditions) argument(value any) string {
	c.args = append(c.args, value)
	return fmt.Sprintf("$%d", len(c.args))
}

// add adds a condition with one %s for each of the values.
func (c *conditions) add(condition string, values ...any) {
	parameters := make([]any, len(values))
	for i, value := range values {
		parameters[i] = c.argument(value)
	}
	c.all = append(c.all, fmt.Sprintf(condition, parameters...))
}

// conditionsOf lists all but the statuses.
func conditionsOf(q store.Query, after *store.Cursor) *conditions {
	var c conditions
	c.add("tenant_id = %s", q.Tenant)
	if q.Chain != "" {
		c.add("chain_name = %s", q.Chain)
	}
	if q.Backend != "" {
		c.add("worker_backend = %s", q.Backend)
	}
	if !q.Since.IsZero() {
		c.add("created_at >= %s", store.Micro(q.Since))
	}
	if q.IDPrefix != "" {
		c.add("run_id >= %s and run_id < %s", q.IDPrefix, q.IDPrefix+"\U0010FFFF") // above every character
	}
	if after != nil {
		c.add("(created_at, run_id) < (%s, %s)", after.CreatedAt, after.RunID)
	}
	return &c
}

func walk(where []string, limit string, also ...string) string {
	return fmt.Sprintf(`
select %s from tutti.runs
where %s
order by created_at desc, run_id desc limit %s`,
		strings.Join(append([]string{"listing"}, also...), ", "), strings.Join(where, " and "), limit)
}

// statusNames lists each status once.
func statusNames(statuses []run.Status) []string {
	names := make([]string, len(statuses))
	for i, status := range statuses {
		names[i] = string(status)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
