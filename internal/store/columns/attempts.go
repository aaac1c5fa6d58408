package columns

import (
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

// Attempts lists the columns of the table of model calls that are written when
// an attempt begins. Its number is assigned in the database.
func Attempts() []Column[ledger.Attempt] {
	return []Column[ledger.Attempt]{
		{"tenant_id", Key, func(a *ledger.Attempt) any { return a.Tenant }},
		{"run_id", Key, func(a *ledger.Attempt) any { return a.RunID }},
		{"task_id", Key, func(a *ledger.Attempt) any { return a.TaskID }},
		{"call", Int, func(a *ledger.Attempt) any { return a.Call }},
		{"source", Key, func(a *ledger.Attempt) any { return a.Source }},
		{"kind", Key, func(a *ledger.Attempt) any { return a.Kind }},
		{"idempotency_class", Key, func(a *ledger.Attempt) any { return a.IdempotencyClass }},
		{"provider", Key, func(a *ledger.Attempt) any { return a.Provider }},
		{"model", Key, func(a *ledger.Attempt) any { return a.Model }},
		{"prompt_sha256", Key, func(a *ledger.Attempt) any { return a.PromptSHA256 }},
		{"price_id", Text, func(a *ledger.Attempt) any { return a.PriceID }},
		{"started_at", Time, func(a *ledger.Attempt) any { return a.StartedAt }},
	}
}

// Closings lists the columns that are written when an attempt is closed.
func Closings() []Column[ledger.Closing] {
	table := []Column[ledger.Closing]{
		{"state", Key, func(c *ledger.Closing) any { return string(c.State) }},
		{"class", Key, func(c *ledger.Closing) any { return c.Class }},
		{"request_id", Key, func(c *ledger.Closing) any { return c.RequestID }},
		{"finished_at", Time, func(c *ledger.Closing) any { return c.FinishedAt }},
	}
	return append(table, usage(func(c *ledger.Closing) *run.Usage { return &c.Usage })...)
}
