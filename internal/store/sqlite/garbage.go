package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// EachAnswer implements ledger.Garbage.
func (s *Store) EachAnswer(ctx context.Context, visit func(body []byte) error) error {
	return s.each(ctx, "read the answers", func(scan func(...any) error) error {
		var body []byte
		if err := scan(&body); err != nil {
			return err
		}
		return visit(body)
	}, `select body from call_answers`)
}

// Discard implements ledger.Garbage. It reads first and then removes what is still
// as old as it was.
func (s *Store) Discard(ctx context.Context, before time.Time, used ledger.Used, dryRun bool) (ledger.Discarded, error) {
	var d ledger.Discarded
	var contents [][]any
	err := s.each(ctx, "find unused contents", func(scan func(...any) error) error {
		var tenant, sha256 string
		var size int64
		if err := scan(&tenant, &sha256, &size); err != nil {
			return err
		}
		if !used.Contents[sha256] {
			d.Contents++
			d.Bytes += size
			contents = append(contents, []any{tenant, sha256, timeText(before)})
		}
		return nil
	}, `select tenant_id, sha256, size from contents where created_at < ?`, timeText(before))
	if err != nil {
		return d, err
	}
	answers, err := s.unusedRuns(ctx, used, &d.Answers, `
select tenant_id, run_id, count(*) from call_answers where stored_at < ? group by 1, 2`, before)
	if err != nil {
		return d, err
	}
	attempts, err := s.unusedRuns(ctx, used, &d.Attempts, `
select tenant_id, run_id, count(*) from model_calls where started_at < ? group by 1, 2`, before)
	if err != nil || dryRun {
		return d, err
	}
	return d, s.transact(ctx, "discard", func(tx *sql.Tx) error {
		for statement, rows := range map[string][][]any{
			`delete from contents where tenant_id = ? and sha256 = ? and created_at < ?`:    contents,
			`delete from call_answers where tenant_id = ? and run_id = ? and stored_at < ?`: answers,
			`delete from model_calls where tenant_id = ? and run_id = ? and started_at < ?`: attempts,
		} {
			for _, row := range rows {
				if _, err := tx.ExecContext(ctx, statement, row...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// unusedRuns returns the parameters that name the unused runs among those of a
// statement, and counts their rows.
func (s *Store) unusedRuns(ctx context.Context, used ledger.Used, count *int64, query string, before time.Time) (rows [][]any, err error) {
	err = s.each(ctx, "find unused calls", func(scan func(...any) error) error {
		var tenant, runID string
		var n int64
		if err := scan(&tenant, &runID, &n); err != nil {
			return err
		}
		if !used.Runs[runID] {
			*count += n
			rows = append(rows, []any{tenant, runID, timeText(before)})
		}
		return nil
	}, query, timeText(before))
	return rows, err
}
