package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// SaveAnswer implements ledger.Answers.
func (s *Store) SaveAnswer(ctx context.Context, a ledger.Answer) (stored ledger.Answer, err error) {
	body := a.Body
	if body == nil {
		body = []byte{}
	}
	err = s.transact(ctx, "save an answer", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
insert into call_answers (tenant_id, run_id, task_id, call, prompt_sha256, body, stored_at)
values (?, ?, ?, ?, ?, ?, ?)
on conflict do nothing`, a.Tenant, a.RunID, a.TaskID, a.Call, a.PromptSHA256, body, timeText(a.StoredAt))
		if err != nil {
			return err
		}
		stored, err = loadAnswer(ctx, tx, a.CallKey, a.PromptSHA256)
		return err
	})
	if err != nil {
		return ledger.Answer{}, err
	}
	return stored, nil
}

// LoadAnswer implements ledger.Answers.
func (s *Store) LoadAnswer(ctx context.Context, key ledger.CallKey, promptSHA256 string) (ledger.Answer, error) {
	stored, err := loadAnswer(ctx, s.db, key, promptSHA256)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.Answer{}, ledger.ErrNotFound
	}
	return stored, failed(ctx, "load an answer", err)
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func loadAnswer(ctx context.Context, db rowQuerier, key ledger.CallKey, promptSHA256 string) (ledger.Answer, error) {
	stored := ledger.Answer{CallKey: key, PromptSHA256: promptSHA256}
	var at string
	err := db.QueryRowContext(ctx, `
select body, stored_at from call_answers
where tenant_id = ? and run_id = ? and task_id = ? and call = ? and prompt_sha256 = ?`,
		key.Tenant, key.RunID, key.TaskID, key.Call, promptSHA256).Scan(&stored.Body, &at)
	if err != nil {
		return ledger.Answer{}, err
	}
	stored.StoredAt, err = parseTime(at)
	return stored, err
}
