package kept

import (
	"context"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
)

// Store is the kept data of calls.
type Store interface {
	ledger.Calls
	ledger.Answers
	ledger.Prices
}

// The kind and class of a model's calls, in the table that tools will share.
const (
	Kind             = "model"
	IdempotencyClass = "at-least-once"
)

// Travelling returns an attempt as it travels while the store is away.
func Travelling(a ledger.Attempt) history.Attempt {
	return history.Attempt{
		Source: a.Source, StartedAt: a.StartedAt, FinishedAt: a.FinishedAt, State: string(a.State),
		Class: a.Class, RequestID: a.RequestID, PromptSHA256: a.PromptSHA256, PriceID: a.PriceID, Usage: a.Usage,
	}
}

// arrived returns the attempt as the store keeps it. One that was never closed
// belongs to a worker that was lost: whether it was paid for nobody knows.
func arrived(u history.Unrecorded, t history.Attempt) ledger.Attempt {
	a := ledger.Attempt{
		CallKey: key(u), Source: t.Source, Kind: Kind, IdempotencyClass: IdempotencyClass,
		Provider: u.Provider, Model: u.Model, PromptSHA256: t.PromptSHA256, StartedAt: t.StartedAt,
		Closing: ledger.Closing{
			State: ledger.State(t.State), Class: t.Class, RequestID: t.RequestID,
			FinishedAt: t.FinishedAt, Usage: t.Usage,
		},
	}
	if a.State == ledger.Started {
		a.Closing = Lost(t.StartedAt)
	}
	if u.Price != nil && u.Price.ID == t.PriceID {
		a.PriceID = t.PriceID
	}
	return a
}

// Lost is the closing of an attempt that died between its request and its answer.
func Lost(at time.Time) ledger.Closing {
	return ledger.Closing{State: ledger.Uncertain, FinishedAt: at, Usage: run.Usage{CallsUncertain: 1}}
}

func key(u history.Unrecorded) ledger.CallKey {
	return ledger.CallKey{Tenant: u.TenantID, RunID: u.RunID, TaskID: u.TaskID, Call: u.Call}
}

// Record inserts what is missing. Its errors are the store's.
func Record(ctx context.Context, s Store, u history.Unrecorded) error {
	for _, t := range u.Attempts {
		a := arrived(u, t)
		if err := record(ctx, s, u, a); err != nil {
			return fmt.Errorf("record attempt %s of %s: %w", a.Source, a.TaskID, err)
		}
		if a.State != ledger.Answered || u.Answer == nil {
			continue
		}
		body, err := history.StoredAnswer{By: t, Result: *u.Answer}.Encode()
		if err != nil {
			return err
		}
		answer := ledger.Answer{CallKey: a.CallKey, PromptSHA256: a.PromptSHA256, Body: body, StoredAt: a.FinishedAt}
		if _, err := s.SaveAnswer(ctx, answer); err != nil {
			return fmt.Errorf("record the answer of %s: %w", a.TaskID, err)
		}
	}
	return nil
}

func record(ctx context.Context, s Store, u history.Unrecorded, a ledger.Attempt) error {
	if a.PriceID != "" {
		row := ledger.PriceRow{Tenant: u.TenantID, Provider: u.Provider, Model: u.Model, Price: *u.Price, RecordedAt: a.StartedAt}
		if err := s.RecordPrice(ctx, row); err != nil {
			return err
		}
	}
	number, err := s.BeginAttempt(ctx, a)
	if err != nil {
		return err
	}
	_, err = s.CloseAttempt(ctx, a.CallKey, number, a.Closing)
	return err
}
