package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
)

// EachAnswer implements ledger.Garbage.
func (s *Store) EachAnswer(ctx context.Context, visit func(body []byte) error) error {
	var answers []ledger.Answer
	if err := s.locked(ctx, func() { answers = slices.Collect(maps.Values(s.answers)) }); err != nil {
		return err
	}
	for _, a := range answers {
		if err := visit(a.Body); err != nil {
			return err
		}
	}
	return nil
}

// Discard implements ledger.Garbage.
func (s *Store) Discard(ctx context.Context, before time.Time, used ledger.Used, dryRun bool) (d ledger.Discarded, err error) {
	err = s.locked(ctx, func() {
		for key, at := range s.put {
			if !at.Before(before) || used.Contents[key.sha256] {
				continue
			}
			d.Contents++
			d.Bytes += int64(len(s.contents[key]))
			if !dryRun {
				delete(s.contents, key)
				delete(s.put, key)
			}
		}
		d.Answers = s.discardAnswers(before, used, dryRun)
		d.Attempts = s.discardAttempts(before, used, dryRun)
	})
	return d, err
}

func (s *Store) discardAnswers(before time.Time, used ledger.Used, dryRun bool) (n int64) {
	for key, a := range s.answers {
		if !a.StoredAt.Before(before) || used.Runs[a.RunID] {
			continue
		}
		n++
		if !dryRun {
			delete(s.answers, key)
		}
	}
	return n
}

func (s *Store) discardAttempts(before time.Time, used ledger.Used, dryRun bool) (n int64) {
	for key, list := range s.calls {
		young := slices.ContainsFunc(list, func(a ledger.Attempt) bool { return !a.StartedAt.Before(before) })
		if young || used.Runs[key.RunID] {
			continue
		}
		n += int64(len(list))
		if dryRun {
			continue
		}
		delete(s.calls, key)
		for _, a := range list {
			delete(s.sources, sourceKey{a.Tenant, a.Source})
		}
	}
	return n
}
