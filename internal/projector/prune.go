package projector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// PruneAge is how old kept data has to be before it may be removed: far beyond the
// time between putting a text and starting the run that names it.
const PruneAge = 30 * 24 * time.Hour

// digests finds everything that looks like a digest. What is taken for one and is
// none keeps nothing that would have to go.
func digests() *regexp.Regexp { return regexp.MustCompile(`[0-9a-f]{64}`) }

// Prune removes kept data that no row, archived history, run in Temporal or stored
// answer names and that is older than PruneAge. If any of these cannot be read it
// removes nothing.
func (s *Survey) Prune(ctx context.Context, garbage ledger.Garbage, now time.Time, dryRun bool) (ledger.Discarded, error) {
	all, err := s.all(ctx)
	if err != nil {
		return ledger.Discarded{}, err
	}
	used := ledger.Used{Contents: make(map[string]bool), Runs: make(map[string]bool)}
	pattern := digests()
	mark := func(raw []byte) error {
		for _, digest := range pattern.FindAll(raw, -1) {
			used.Contents[string(digest)] = true
		}
		return nil
	}
	for _, k := range all {
		used.Runs[k.runID] = true
		if err := s.mark(ctx, k, mark); err != nil {
			return ledger.Discarded{}, fmt.Errorf("what run %s refers to is not known, so nothing was removed: %w", k.runID, err)
		}
	}
	if err := garbage.EachAnswer(ctx, mark); err != nil {
		return ledger.Discarded{}, err
	}
	return garbage.Discard(ctx, now.Add(-PruneAge), used, dryRun)
}

// mark marks what a run's histories and its row name.
func (s *Survey) mark(ctx context.Context, k *known, mark func([]byte) error) error {
	sources := []func() (runs.Whole, error){func() (runs.Whole, error) { return s.source.Whole(ctx, k.runID) }}
	if k.tenant != "" {
		sources = append(sources, func() (runs.Whole, error) { return s.source.Archived(ctx, k.tenant, k.runID) })
	}
	for _, read := range sources {
		w, err := read()
		if errors.Is(err, runs.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range w.Events {
			raw, err := proto.Marshal(e)
			if err != nil {
				return fmt.Errorf("encode event %d: %w", e.GetEventId(), err)
			}
			if err := mark(raw); err != nil {
				return err
			}
		}
	}
	if !k.inMirror {
		return nil
	}
	row, err := s.mirror.LoadRun(ctx, k.tenant, k.runID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	raw, err := json.Marshal(row.Record)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", k.runID, err)
	}
	return mark(raw)
}
