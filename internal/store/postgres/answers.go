package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
	"github.com/tutti-dev/tutti/internal/txscope"
)

const selectAnswer = `
select body, stored_at from tutti_kept.call_answers
where tenant_id = $1 and run_id = $2 and task_id = $3 and call = $4 and prompt_sha256 = $5`

// SaveAnswer implements ledger.Answers. The insert waits for another that is
// under way, so what is read after it is what is stored.
func (s *Store) SaveAnswer(ctx context.Context, a ledger.Answer) (ledger.Answer, error) {
	defer txscope.Enter(ctx)()
	body := a.Body
	if body == nil {
		body = []byte{}
	}
	stored := ledger.Answer{CallKey: a.CallKey, PromptSHA256: a.PromptSHA256}
	b := &pgx.Batch{}
	b.Queue(`
insert into tutti_kept.call_answers (tenant_id, run_id, task_id, call, prompt_sha256, body, stored_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict do nothing`, a.Tenant, a.RunID, a.TaskID, a.Call, a.PromptSHA256, body, store.Micro(a.StoredAt))
	b.Queue(selectAnswer, a.Tenant, a.RunID, a.TaskID, a.Call, a.PromptSHA256)
	err := s.batch(ctx, b, func(results pgx.BatchResults) error {
		if _, err := results.Exec(); err != nil {
			return err
		}
		return results.QueryRow().Scan(&stored.Body, &stored.StoredAt)
	})
	if err != nil {
		return ledger.Answer{}, failed(ctx, "save an answer", err)
	}
	stored.StoredAt = stored.StoredAt.UTC()
	return stored, nil
}

// LoadAnswer implements ledger.Answers.
func (s *Store) LoadAnswer(ctx context.Context, key ledger.CallKey, promptSHA256 string) (ledger.Answer, error) {
	defer txscope.Enter(ctx)()
	stored := ledger.Answer{CallKey: key, PromptSHA256: promptSHA256}
	err := s.pool.QueryRow(ctx, selectAnswer, key.Tenant, key.RunID, key.TaskID, key.Call, promptSHA256).
		Scan(&stored.Body, &stored.StoredAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return ledger.Answer{}, ledger.ErrNotFound
	}
	if err != nil {
		return ledger.Answer{}, failed(ctx, "load an answer", err)
	}
	stored.StoredAt = stored.StoredAt.UTC()
	return stored, nil
}
