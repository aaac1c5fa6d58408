package filesystem

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// historyFile is an archived history on disk. It names its run, because a path
// does not always.
type historyFile struct {
	Tenant        string    `json:"tenantId"`
	RunID         string    `json:"runId"`
	TemporalRunID string    `json:"temporalRunId"`
	LastEventID   int64     `json:"lastEventId"`
	ClosedAt      time.Time `json:"closedAt"`
	Codec         string    `json:"codec"`
	History       []byte    `json:"history"`
}

func (s *Store) historiesDir(tenant, runID string) string {
	return filepath.Join(s.dir, "kept", name(tenant), "histories", name(runID))
}

// SaveHistory implements ledger.Archive.
func (s *Store) SaveHistory(ctx context.Context, h ledger.History) error {
	if err := ctx.Err(); err != nil {
		return failed("archive a history", err)
	}
	raw, err := json.Marshal(historyFile{
		Tenant: h.Tenant, RunID: h.RunID, TemporalRunID: h.TemporalRunID, LastEventID: h.LastEventID,
		ClosedAt: store.Micro(h.ClosedAt), Codec: h.Codec, History: h.Body,
	})
	if err != nil {
		return fmt.Errorf("filesystem: encode a history: %w", err)
	}
	_, err = create(filepath.Join(s.historiesDir(h.Tenant, h.RunID), name(h.TemporalRunID)+".json"), raw)
	return failed("archive a history", err)
}

// LoadHistory implements ledger.Archive.
func (s *Store) LoadHistory(ctx context.Context, tenant, runID string) (ledger.History, error) {
	var last historyFile
	found := false
	for file, err := range each[historyFile](ctx, s.historiesDir(tenant, runID)) {
		if err != nil {
			return ledger.History{}, failed("load a history", err)
		}
		if !found || !file.ClosedAt.Before(last.ClosedAt) {
			last, found = file, true
		}
	}
	if !found {
		return ledger.History{}, fmt.Errorf("run %s: %w", runID, ledger.ErrNoHistory)
	}
	return ledger.History{
		HistoryKey: ledger.HistoryKey{Tenant: last.Tenant, RunID: last.RunID}, TemporalRunID: last.TemporalRunID,
		LastEventID: last.LastEventID, ClosedAt: last.ClosedAt, Codec: last.Codec, Body: last.History,
	}, nil
}

// ListHistories implements ledger.Archive.
func (s *Store) ListHistories(ctx context.Context, after ledger.HistoryKey, limit int) ([]ledger.HistoryKey, error) {
	dirs, err := filepath.Glob(filepath.Join(s.dir, "kept", "*", "histories", "*"))
	if err != nil {
		return nil, failed("list histories", err)
	}
	type named struct {
		Tenant string `json:"tenantId"`
		RunID  string `json:"runId"`
	}
	var list []ledger.HistoryKey
	for _, dir := range dirs {
		for file, err := range each[named](ctx, dir) {
			if err != nil {
				return nil, failed("list histories", err)
			}
			if key := (ledger.HistoryKey{Tenant: file.Tenant, RunID: file.RunID}); compareKeys(key, after) > 0 {
				list = append(list, key)
			}
			break // All files of a folder are of one run.
		}
	}
	slices.SortFunc(list, compareKeys)
	return list[:min(len(list), store.SweepLimit(limit))], failed("list histories", ctx.Err())
}

func compareKeys(a, b ledger.HistoryKey) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.RunID, b.RunID))
}

// specialistFile is a version of a specialist on disk.
type specialistFile struct {
	ID         string `json:"id"`
	Definition []byte `json:"definition"`
}

// RecordSpecialist implements ledger.Specialists.
func (s *Store) RecordSpecialist(ctx context.Context, row ledger.SpecialistRow) error {
	if err := ctx.Err(); err != nil {
		return failed("record a specialist", err)
	}
	raw, err := json.Marshal(specialistFile{ID: row.ID, Definition: row.Definition})
	if err != nil {
		return fmt.Errorf("filesystem: encode a specialist: %w", err)
	}
	path := filepath.Join(s.dir, "kept", name(row.Tenant), "specialists", name(row.Name), name(row.Version)+".json")
	made, err := create(path, raw)
	if err != nil || made {
		return failed("record a specialist", err)
	}
	var stored specialistFile
	if _, err := readJSON(path, &stored); err != nil {
		return failed("record a specialist", err)
	}
	if stored.ID != row.ID || !bytes.Equal(stored.Definition, row.Definition) {
		return fmt.Errorf("%s %s: %w", row.Name, row.Version, ledger.ErrSpecialistChanged)
	}
	return nil
}
