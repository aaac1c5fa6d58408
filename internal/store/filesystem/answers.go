package filesystem

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// answerFile is an answer on disk. Its place says which call it is of.
type answerFile struct {
	StoredAt time.Time `json:"storedAt"`
	Body     []byte    `json:"body"`
}

// SaveAnswer implements ledger.Answers.
func (s *Store) SaveAnswer(ctx context.Context, a ledger.Answer) (ledger.Answer, error) {
	if err := ctx.Err(); err != nil {
		return ledger.Answer{}, failed("save an answer", err)
	}
	raw, err := json.Marshal(answerFile{StoredAt: store.Micro(a.StoredAt), Body: a.Body})
	if err != nil {
		return ledger.Answer{}, fmt.Errorf("filesystem: encode an answer: %w", err)
	}
	if _, err := create(s.answerFile(a.CallKey, a.PromptSHA256), raw); err != nil {
		return ledger.Answer{}, failed("save an answer", err)
	}
	return s.LoadAnswer(ctx, a.CallKey, a.PromptSHA256)
}

// LoadAnswer implements ledger.Answers.
func (s *Store) LoadAnswer(ctx context.Context, key ledger.CallKey, promptSHA256 string) (ledger.Answer, error) {
	if err := ctx.Err(); err != nil {
		return ledger.Answer{}, failed("load an answer", err)
	}
	var file answerFile
	found, err := readJSON(s.answerFile(key, promptSHA256), &file)
	if err != nil {
		return ledger.Answer{}, failed("load an answer", err)
	}
	if !found {
		return ledger.Answer{}, ledger.ErrNotFound
	}
	return ledger.Answer{CallKey: key, PromptSHA256: promptSHA256, Body: file.Body, StoredAt: file.StoredAt}, nil
}
