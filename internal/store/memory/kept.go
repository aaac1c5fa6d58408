package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// PutContent implements content.Store.
func (s *Store) PutContent(ctx context.Context, tenant, sha256 string, text []byte) error {
	return s.locked(ctx, func() {
		key := contentKey{tenant, sha256}
		if _, found := s.contents[key]; !found {
			s.contents[key] = bytes.Clone(text)
		}
		s.put[key] = time.Now()
	})
}

// GetContent implements content.Store.
func (s *Store) GetContent(ctx context.Context, tenant, sha256 string) (text []byte, err error) {
	var found bool
	err = s.locked(ctx, func() { text, found = s.contents[contentKey{tenant, sha256}] })
	if err == nil && !found {
		err = fmt.Errorf("content %.12s: %w", sha256, content.ErrNotFound)
	}
	return bytes.Clone(text), err
}

// BeginAttempt implements ledger.Calls.
func (s *Store) BeginAttempt(ctx context.Context, a ledger.Attempt) (number int, err error) {
	err = s.locked(ctx, func() {
		source := sourceKey{a.Tenant, a.Source}
		if number = s.sources[source]; number > 0 {
			return
		}
		number = len(s.calls[a.CallKey]) + 1
		a.Attempt, a.StartedAt = number, store.Micro(a.StartedAt)
		a.Closing = ledger.Closing{State: ledger.Started}
		s.calls[a.CallKey] = append(s.calls[a.CallKey], a)
		s.sources[source] = number
	})
	return number, err
}

// CloseAttempt implements ledger.Calls.
func (s *Store) CloseAttempt(ctx context.Context, key ledger.CallKey, attempt int, c ledger.Closing) (closed bool, err error) {
	err = s.locked(ctx, func() {
		list := s.calls[key]
		if attempt < 1 || attempt > len(list) || !slices.Contains(ledger.Correctable(c.State), list[attempt-1].State) {
			return
		}
		c.FinishedAt = store.Micro(c.FinishedAt)
		list[attempt-1].Closing, closed = c, true
	})
	return closed, err
}

// Attempts implements ledger.Calls.
func (s *Store) Attempts(ctx context.Context, key ledger.CallKey) (list []ledger.Attempt, err error) {
	err = s.locked(ctx, func() { list = slices.Clone(s.calls[key]) })
	return list, err
}

// SaveAnswer implements ledger.Answers.
func (s *Store) SaveAnswer(ctx context.Context, a ledger.Answer) (stored ledger.Answer, err error) {
	err = s.locked(ctx, func() {
		key := answerKey{a.CallKey, a.PromptSHA256}
		if _, found := s.answers[key]; !found {
			a.Body, a.StoredAt = bytes.Clone(a.Body), store.Micro(a.StoredAt)
			s.answers[key] = a
		}
		stored = s.answers[key]
		stored.Body = bytes.Clone(stored.Body)
	})
	return stored, err
}

// LoadAnswer implements ledger.Answers.
func (s *Store) LoadAnswer(ctx context.Context, key ledger.CallKey, promptSHA256 string) (stored ledger.Answer, err error) {
	var found bool
	err = s.locked(ctx, func() { stored, found = s.answers[answerKey{key, promptSHA256}] })
	if err == nil && !found {
		err = ledger.ErrNotFound
	}
	stored.Body = bytes.Clone(stored.Body)
	return stored, err
}

// RecordPrice implements ledger.Prices.
func (s *Store) RecordPrice(ctx context.Context, p ledger.PriceRow) error {
	return s.locked(ctx, func() {
		key := priceKey{p.Tenant, p.ID}
		if _, found := s.prices[key]; !found {
			p.RecordedAt = store.Micro(p.RecordedAt)
			s.prices[key] = p
		}
	})
}

// LoadPrice implements ledger.Prices.
func (s *Store) LoadPrice(ctx context.Context, tenant, id string) (stored ledger.PriceRow, err error) {
	var found bool
	err = s.locked(ctx, func() { stored, found = s.prices[priceKey{tenant, id}] })
	if err == nil && !found {
		err = fmt.Errorf("price %s: %w", id, ledger.ErrPriceNotFound)
	}
	return stored, err
}
