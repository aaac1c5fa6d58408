package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// EachAnswer implements ledger.Garbage.
func (s *Store) EachAnswer(ctx context.Context, visit func(body []byte) error) error {
	defer txscope.Enter(ctx)()
	rows, err := s.pool.Query(bulk(ctx), `select body from tutti_kept.call_answers`)
	if err != nil {
		return failed(ctx, "read the answers", err)
	}
	var body []byte
	_, err = pgx.ForEachRow(rows, []any{&body}, func() error { return visit(body) })
	return failed(ctx, "read the answers", err)
}

// Discard implements ledger.Garbage. It reads first and then removes what is still
// as old as it was.
func (s *Store) Discard(ctx context.Context, before time.Time, used ledger.Used, dryRun bool) (ledger.Discarded, error) {
	defer txscope.Enter(ctx)()
	var d ledger.Discarded
	remove := &pgx.Batch{}
	find := func(query string, isUsed map[string]bool, count, size *int64, statement string) error {
		rows, err := s.pool.Query(bulk(ctx), query, before)
		if err != nil {
			return err
		}
		var tenant, key string
		var n, bytes int64
		_, err = pgx.ForEachRow(rows, []any{&tenant, &key, &n, &bytes}, func() error {
			if isUsed[key] {
				return nil
			}
			*count += n
			*size += bytes
			remove.Queue(statement, tenant, key, before)
			return nil
		})
		return err
	}
	var none int64
	err := find(`select tenant_id, sha256, 1::bigint, size from tutti_kept.contents where created_at < $1`,
		used.Contents, &d.Contents, &d.Bytes,
		`delete from tutti_kept.contents where tenant_id = $1 and sha256 = $2 and created_at < $3`)
	if err == nil {
		err = find(`select tenant_id, run_id, count(*), 0::bigint from tutti_kept.call_answers where stored_at < $1 group by 1, 2`,
			used.Runs, &d.Answers, &none,
			`delete from tutti_kept.call_answers where tenant_id = $1 and run_id = $2 and stored_at < $3`)
	}
	if err == nil {
		err = find(`select tenant_id, run_id, count(*), 0::bigint from tutti_kept.model_calls where started_at < $1 group by 1, 2`,
			used.Runs, &d.Attempts, &none,
			`delete from tutti_kept.model_calls where tenant_id = $1 and run_id = $2 and started_at < $3`)
	}
	if err != nil || dryRun || remove.Len() == 0 {
		return d, failed(ctx, "discard", err)
	}
	return d, failed(ctx, "discard", s.pool.SendBatch(bulk(ctx), remove).Close())
}
