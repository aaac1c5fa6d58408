package store

import (
	"iter"
	"slices"
	"strings"

	"github.com/tutti-dev/tutti/internal/run"
)

// Bounds returns the number of runs on the page and the place after which it
// begins, nil for the first page. The error is ErrCursor.
func (q Query) Bounds() (limit int, after *Cursor, err error) {
	limit = min(q.Limit, MaxLimit)
	if limit <= 0 {
		limit = DefaultLimit
	}
	if q.Cursor == "" {
		return limit, nil, nil
	}
	place, err := ParseCursor(q.Cursor)
	if err != nil {
		return 0, nil, err
	}
	return limit, &place, nil
}

// Matches says whether a run is selected, wherever the page begins.
func (q Query) Matches(r *run.Record) bool {
	return r.TenantID == q.Tenant &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, r.Status)) &&
		(q.Chain == "" || r.Chain.Name == q.Chain) &&
		(q.Backend == "" || r.WorkerBackend == q.Backend) &&
		(q.Since.IsZero() || !PlaceOf(r).CreatedAt.Before(Micro(q.Since))) &&
		strings.HasPrefix(r.RunID, q.IDPrefix)
}

// PageOf makes a page of records that stand in the list's order and of which an
// adapter reads one more than the page holds, to learn whether there is one.
func PageOf(records []run.Record, limit int) Page {
	if len(records) <= limit {
		return Page{Runs: records}
	}
	records = records[:limit]
	return Page{Runs: records, NextCursor: PlaceOf(&records[limit-1]).String()}
}

// Scan makes the page by looking at every record, for adapters without an
// index. It holds only a few pages of records, however many there are.
func (q Query) Scan(records iter.Seq2[run.Record, error]) (Page, error) {
	limit, after, err := q.Bounds()
	if err != nil {
		return Page{}, err
	}
	var found []run.Record
	for r, err := range records {
		if err != nil {
			return Page{}, err
		}
		if !q.Matches(&r) || (after != nil && PlaceOf(&r).Compare(*after) <= 0) {
			continue
		}
		if found = append(found, Listing(r)); len(found) > 4*MaxLimit {
			found = first(found, limit+1)
		}
	}
	return PageOf(first(found, limit+1), limit), nil
}

func first(records []run.Record, n int) []run.Record {
	slices.SortFunc(records, func(a, b run.Record) int { return PlaceOf(&a).Compare(PlaceOf(&b)) })
	if len(records) > n {
		clear(records[n:])
		records = records[:n]
	}
	return records
}
