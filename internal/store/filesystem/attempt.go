package filesystem

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// sourceFile says which attempt a source began.
type sourceFile struct {
	Source  string `json:"source"`
	Attempt int    `json:"attempt"`
}

// attemptFile is an attempt on disk. Its place says which call it is of.
type attemptFile struct {
	Attempt          int          `json:"attempt"`
	Source           string       `json:"source"`
	Kind             string       `json:"kind"`
	IdempotencyClass string       `json:"idempotencyClass"`
	Provider         string       `json:"provider"`
	Model            string       `json:"model"`
	PromptSHA256     string       `json:"promptSha256"`
	PriceID          string       `json:"priceId,omitempty"`
	StartedAt        time.Time    `json:"startedAt,omitzero"`
	State            ledger.State `json:"state"`
	Class            string       `json:"class,omitempty"`
	RequestID        string       `json:"requestId,omitempty"`
	FinishedAt       time.Time    `json:"finishedAt,omitzero"`
	Usage            run.Usage    `json:"usage"`
}

func (s *Store) writeAttempt(a ledger.Attempt) error {
	raw, err := json.Marshal(attemptFile{
		Attempt: a.Attempt, Source: a.Source, Kind: a.Kind, IdempotencyClass: a.IdempotencyClass,
		Provider: a.Provider, Model: a.Model, PromptSHA256: a.PromptSHA256, PriceID: a.PriceID, StartedAt: store.Micro(a.StartedAt),
		State: a.State, Class: a.Class, RequestID: a.RequestID, FinishedAt: store.Micro(a.FinishedAt), Usage: a.Usage,
	})
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return replace(s.attemptFile(a.CallKey, a.Attempt), raw)
}

func (f *attemptFile) attempt(key ledger.CallKey) ledger.Attempt {
	return ledger.Attempt{
		CallKey: key, Attempt: f.Attempt, Source: f.Source, Kind: f.Kind, IdempotencyClass: f.IdempotencyClass,
		Provider: f.Provider, Model: f.Model, PromptSHA256: f.PromptSHA256, PriceID: f.PriceID, StartedAt: f.StartedAt,
		Closing: ledger.Closing{
			State: f.State, Class: f.Class, RequestID: f.RequestID, FinishedAt: f.FinishedAt, Usage: f.Usage,
		},
	}
}
