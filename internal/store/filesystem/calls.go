package filesystem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// BeginAttempt implements ledger.Calls. The attempt is on disk before its
// source is, so a crash between the two leaves an attempt that the next try
// finds among those of its call.
func (s *Store) BeginAttempt(ctx context.Context, a ledger.Attempt) (number int, err error) {
	err = s.locked(ctx, a.Tenant, a.RunID, func() error {
		var claimed sourceFile
		source := s.sourceFile(a.Tenant, a.Source)
		found, err := readJSON(source, &claimed)
		if err != nil || found {
			number = claimed.Attempt
			return err
		}
		if number, err = s.append(ctx, a); err != nil {
			return err
		}
		raw, err := json.Marshal(sourceFile{Source: a.Source, Attempt: number})
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		first, err := create(source, raw)
		if err != nil || first {
			return err
		}
		// The same source began an attempt of another run meanwhile.
		if _, err := readJSON(source, &claimed); err != nil {
			return err
		}
		mine := s.attemptFile(a.CallKey, number)
		number = claimed.Attempt
		return os.Remove(mine)
	})
	if err != nil {
		return 0, failed("begin an attempt", err)
	}
	return number, nil
}

// append writes the attempt under the call's next number, unless the call has
// an attempt of that source.
func (s *Store) append(ctx context.Context, a ledger.Attempt) (int, error) {
	list, err := s.attempts(ctx, a.CallKey)
	if err != nil {
		return 0, err
	}
	a.Attempt = 1
	for _, b := range list {
		if b.Source == a.Source {
			return b.Attempt, nil
		}
		a.Attempt = max(a.Attempt, b.Attempt+1)
	}
	a.Closing = ledger.Closing{State: ledger.Started}
	return a.Attempt, s.writeAttempt(a)
}

// CloseAttempt implements ledger.Calls.
func (s *Store) CloseAttempt(ctx context.Context, key ledger.CallKey, attempt int, c ledger.Closing) (closed bool, err error) {
	err = s.locked(ctx, key.Tenant, key.RunID, func() error {
		var stored attemptFile
		found, err := readJSON(s.attemptFile(key, attempt), &stored)
		if err != nil || !found || !slices.Contains(ledger.Correctable(c.State), stored.State) {
			return err
		}
		closed = true
		a := stored.attempt(key)
		a.Closing = c
		return s.writeAttempt(a)
	})
	return closed && err == nil, failed("close an attempt", err)
}

// Attempts implements ledger.Calls.
func (s *Store) Attempts(ctx context.Context, key ledger.CallKey) ([]ledger.Attempt, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("list attempts", err)
	}
	list, err := s.attempts(ctx, key)
	return list, failed("list attempts", err)
}

func (s *Store) attempts(ctx context.Context, key ledger.CallKey) ([]ledger.Attempt, error) {
	var list []ledger.Attempt
	var problems error
	for file, err := range each[attemptFile](ctx, s.attemptsDir(key)) {
		if err != nil {
			problems = errors.Join(problems, err)
			continue
		}
		list = append(list, file.attempt(key))
	}
	slices.SortFunc(list, func(a, b ledger.Attempt) int { return a.Attempt - b.Attempt })
	return list, problems
}
