package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/columns"
)

// BeginAttempt implements ledger.Calls.
func (s *Store) BeginAttempt(ctx context.Context, a ledger.Attempt) (number int, err error) {
	err = s.transact(ctx, "begin an attempt", func(tx *sql.Tx) error {
		number = 0
		err := tx.QueryRowContext(ctx,
			`select attempt from model_calls where tenant_id = ? and source = ?`, a.Tenant, a.Source).Scan(&number)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		err = tx.QueryRowContext(ctx, `
select coalesce(max(attempt), 0) + 1 from model_calls
where tenant_id = ? and run_id = ? and task_id = ? and call = ?`,
			a.Tenant, a.RunID, a.TaskID, a.Call).Scan(&number)
		if err != nil {
			return err
		}
		values, err := columns.Values(s.sql.attempts, &a, write)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, s.sql.insertAttempt, append(values, number)...)
		return err
	})
	if err != nil {
		return 0, err
	}
	return number, nil
}

// CloseAttempt implements ledger.Calls.
func (s *Store) CloseAttempt(ctx context.Context, key ledger.CallKey, attempt int, c ledger.Closing) (bool, error) {
	var closed int64
	err := s.transact(ctx, "close an attempt", func(tx *sql.Tx) error {
		values, err := columns.Values(s.sql.closings, &c, write)
		if err != nil {
			return err
		}
		values = append(values, key.Tenant, key.RunID, key.TaskID, key.Call, attempt, string(c.State))
		result, err := tx.ExecContext(ctx, s.sql.closeAttempt, values...)
		if err != nil {
			return err
		}
		closed, err = result.RowsAffected()
		return err
	})
	return closed == 1 && err == nil, err
}

// Attempts implements ledger.Calls.
func (s *Store) Attempts(ctx context.Context, key ledger.CallKey) (list []ledger.Attempt, err error) {
	err = s.each(ctx, "list attempts", func(scan func(...any) error) error {
		a := ledger.Attempt{CallKey: key}
		u := &a.Usage
		var started, finished, priceID sql.NullString
		err := scan(&a.Attempt, &a.Source, &a.Kind, &a.IdempotencyClass, &a.Provider, &a.Model, &a.PromptSHA256, &priceID,
			&a.State, &a.Class, &a.RequestID, &started, &finished,
			&u.InputTokens, &u.CachedInputTokens, &u.CacheWriteInputTokens, &u.OutputTokens, &u.ReasoningTokens,
			&u.CostUSD, &u.UnpricedCalls, &u.CallsUncertain)
		if err != nil {
			return err
		}
		a.PriceID = priceID.String
		if a.StartedAt, err = nullTime(started); err != nil {
			return err
		}
		if a.FinishedAt, err = nullTime(finished); err != nil {
			return err
		}
		list = append(list, a)
		return nil
	}, `
select attempt, source, kind, idempotency_class, provider, model, prompt_sha256, price_id,
  state, class, request_id, started_at, finished_at,
  input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cost_usd, unpriced_calls, calls_uncertain
from model_calls
where tenant_id = ? and run_id = ? and task_id = ? and call = ?
order by attempt`, key.Tenant, key.RunID, key.TaskID, key.Call)
	return list, err
}

func nullTime(s sql.NullString) (time.Time, error) {
	if !s.Valid {
		return time.Time{}, nil
	}
	return parseTime(s.String)
}
