package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store/columns"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// BeginAttempt implements ledger.Calls. Nobody is locked out: an attempt that
// loses the number to another one, which it then finds, takes the next.
func (s *Store) BeginAttempt(ctx context.Context, a ledger.Attempt) (int, error) {
	defer txscope.Enter(ctx)()
	values, err := columns.Values(s.sql.attempts, &a, write)
	if err != nil {
		return 0, err
	}
	for {
		number, err := s.tryBegin(ctx, a, values)
		if err != nil {
			return 0, failed(ctx, "begin an attempt", err)
		}
		if number > 0 {
			return number, nil
		}
	}
}

// tryBegin returns 0 when the number was taken meanwhile.
func (s *Store) tryBegin(ctx context.Context, a ledger.Attempt, values []any) (number int, err error) {
	b := &pgx.Batch{}
	b.Queue(s.sql.insertAttempt, values...)
	b.Queue(`select attempt from tutti_kept.model_calls where tenant_id = $1 and source = $2`, a.Tenant, a.Source)
	err = s.batch(ctx, b, func(results pgx.BatchResults) error {
		if _, err := results.Exec(); err != nil {
			return err
		}
		err := results.QueryRow().Scan(&number)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return number, err
}

// CloseAttempt implements ledger.Calls.
func (s *Store) CloseAttempt(ctx context.Context, key ledger.CallKey, attempt int, c ledger.Closing) (bool, error) {
	defer txscope.Enter(ctx)()
	values, err := columns.Values(s.sql.closings, &c, write)
	if err != nil {
		return false, err
	}
	values = append(values, key.Tenant, key.RunID, key.TaskID, key.Call, attempt)
	tag, err := s.pool.Exec(ctx, s.sql.closeAttempt, values...)
	if err != nil {
		return false, failed(ctx, "close an attempt", err)
	}
	return tag.RowsAffected() == 1, nil
}

// Attempts implements ledger.Calls.
func (s *Store) Attempts(ctx context.Context, key ledger.CallKey) ([]ledger.Attempt, error) {
	defer txscope.Enter(ctx)()
	rows, err := s.pool.Query(ctx, `
select attempt, source, kind, idempotency_class, provider, model, prompt_sha256, coalesce(price_id, ''),
  state, class, request_id,
  coalesce(started_at, '0001-01-01 00:00:00+00'), coalesce(finished_at, '0001-01-01 00:00:00+00'),
  input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
  cost_usd::text, unpriced_calls, calls_uncertain
from tutti_kept.model_calls
where tenant_id = $1 and run_id = $2 and task_id = $3 and call = $4
order by attempt`, key.Tenant, key.RunID, key.TaskID, key.Call)
	if err != nil {
		return nil, failed(ctx, "list attempts", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (ledger.Attempt, error) {
		a := ledger.Attempt{CallKey: key}
		u := &a.Usage
		err := row.Scan(&a.Attempt, &a.Source, &a.Kind, &a.IdempotencyClass, &a.Provider, &a.Model, &a.PromptSHA256, &a.PriceID,
			&a.State, &a.Class, &a.RequestID, &a.StartedAt, &a.FinishedAt,
			&u.InputTokens, &u.CachedInputTokens, &u.CacheWriteInputTokens, &u.OutputTokens, &u.ReasoningTokens,
			&u.CostUSD, &u.UnpricedCalls, &u.CallsUncertain)
		a.StartedAt, a.FinishedAt = a.StartedAt.UTC(), a.FinishedAt.UTC()
		return a, err
	})
	return list, failed(ctx, "list attempts", err)
}
