package filesystem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/store"
)

// runFile is a projected run on disk.
type runFile struct {
	Builder int               `json:"builder"`
	Record  json.RawMessage   `json:"record"`
	Events  []json.RawMessage `json:"events"`
}

// head is what of it the sweep and the ordering rule need.
type head struct {
	Builder int `json:"builder"`
	Record  struct {
		TenantID      string     `json:"tenantId"`
		RunID         string     `json:"runId"`
		TemporalRunID string     `json:"temporalRunId"`
		LastEventID   int64      `json:"lastEventId"`
		Status        run.Status `json:"status"`
	} `json:"record"`
}

func (h *head) version() store.Version {
	return store.Version{
		TemporalRunID: h.Record.TemporalRunID,
		LastEventID:   h.Record.LastEventID, Builder: h.Builder,
	}
}

// SaveRun implements store.Mirror.
func (s *Store) SaveRun(ctx context.Context, snapshot store.Snapshot) (saved bool, err error) {
	encoded, err := store.Encode(snapshot)
	if err != nil {
		return false, err
	}
	file := runFile{Builder: snapshot.Builder, Record: encoded.Record}
	for _, event := range encoded.Events {
		file.Events = append(file.Events, event)
	}
	raw, err := json.Marshal(file)
	if err != nil {
		return false, fmt.Errorf("filesystem: encode run %s: %w", snapshot.Record.RunID, err)
	}
	r := &snapshot.Record
	err = s.locked(ctx, r.TenantID, r.RunID, func() error {
		var stored head
		path := s.runFile(r.TenantID, r.RunID)
		found, err := readJSON(path, &stored)
		if err != nil && !errors.Is(err, errDamaged) { // a projection mends a damaged one
			return err
		}
		if found && !snapshot.Supersedes(stored.version()) {
			return nil
		}
		saved = true
		return replace(path, raw)
	})
	return saved && err == nil, failed("save run "+r.RunID, err)
}

// SaveAll implements store.Mirror.
func (s *Store) SaveAll(ctx context.Context, list []store.Projection) error {
	return store.OneByOne(ctx, s, list)
}

// LoadRun implements store.Mirror.
func (s *Store) LoadRun(ctx context.Context, tenant, runID string) (store.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return store.Snapshot{}, failed("load run "+runID, err)
	}
	var file runFile
	found, err := readJSON(s.runFile(tenant, runID), &file)
	if err != nil {
		return store.Snapshot{}, failed("load run "+runID, err)
	}
	if !found {
		return store.Snapshot{}, fmt.Errorf("run %s: %w", runID, store.ErrNotFound)
	}
	events := make([][]byte, len(file.Events))
	for i, event := range file.Events {
		events[i] = event
	}
	return store.Decode(file.Builder, file.Record, events)
}

// ListRuns implements store.Mirror by reading every run of the tenant.
func (s *Store) ListRuns(ctx context.Context, q store.Query) (store.Page, error) {
	read := 0
	page, err := q.Scan(func(yield func(run.Record, error) bool) {
		type recordOnly struct {
			Record run.Record `json:"record"`
		}
		for file, err := range each[recordOnly](ctx, s.runsDir(q.Tenant)) {
			read++
			if !yield(file.Record, err) {
				return
			}
		}
	})
	page.Notice = notice(read)
	return page, failed("list runs", err)
}

// outgrown is the number of runs from which a list is felt: each reads them all.
const outgrown = 1_000

// notice says that a folder of files is no longer the right place for so many runs.
func notice(runs int) string {
	if runs < outgrown {
		return ""
	}
	return fmt.Sprintf("the filesystem store has %d runs and reads them all for each list; it is outgrown: set TUTTI_STORE=sqlite, or postgres with DATABASE_URL, "+
		"and run `tutti projection rebuild`", runs)
}

// each reads the JSON files of a folder, one at a time. A file that goes away
// meanwhile is passed over.
func each[F any](ctx context.Context, dir string) iter.Seq2[F, error] {
	return func(yield func(F, error) bool) {
		names, err := entries(dir)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			var none F
			yield(none, err)
			return
		}
		for _, entry := range names {
			var file F
			found, err := readJSON(filepath.Join(dir, entry), &file)
			if err == nil {
				err = ctx.Err()
			}
			if (found || err != nil) && (!yield(file, err) || err != nil) {
				return
			}
		}
	}
}
