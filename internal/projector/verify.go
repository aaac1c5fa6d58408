package projector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	historypb "go.temporal.io/api/history/v1"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// grace is how long a row may be behind its run before that is a difference: the
// sweep comes every few seconds and visibility is a little late.
const grace = 30 * time.Second

// Verified is what a verification found.
type Verified struct {
	Runs int `json:"runs"`
	// Equal rows are the fold of their history, up to the event that they say.
	Equal int `json:"equal"`
	// Behind rows are equal and about to be brought up to date.
	Behind int `json:"behind"`
	// Forgotten rows have no history any more to compare with.
	Forgotten int `json:"forgotten"`
	// Newer rows were made by a newer tutti.
	Newer     int      `json:"newer"`
	Different []Failed `json:"different"`
	Failed    []Failed `json:"failed"`
	// Unknown counts event types that the fold does not know and passes over.
	Unknown map[string]int `json:"unknownEvents"`
}

// OK says that nothing differs and every history could be folded.
func (v *Verified) OK() bool { return len(v.Different) == 0 && len(v.Failed) == 0 }

// Verify folds every history up to the event that its row says and compares. It
// changes nothing.
func (s *Survey) Verify(ctx context.Context, now time.Time) (Verified, error) {
	out := Verified{Different: []Failed{}, Failed: []Failed{}, Unknown: make(map[string]int)}
	all, err := s.all(ctx)
	if err != nil {
		return out, err
	}
	for _, k := range all {
		if err := s.verify(ctx, k, now, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (s *Survey) verify(ctx context.Context, k *known, now time.Time, out *Verified) error {
	w, err := s.whole(ctx, k)
	if errors.Is(err, runs.ErrNotFound) {
		if k.inMirror {
			out.Runs++
			out.Forgotten++
		}
		return nil
	}
	if err != nil && stops(ctx, err) {
		return err
	}
	out.Runs++
	var folded history.Folded
	if err == nil {
		folded, err = s.source.Fold(w)
	}
	if err != nil {
		out.Failed = append(out.Failed, Failed{k.runID, err.Error()})
		return nil
	}
	for name, n := range folded.Unknown {
		out.Unknown[name] += n
	}
	if folded.Record.TenantID == "" {
		out.Behind++ // Started by hand and not planned yet.
		return nil
	}
	row, err := s.mirror.LoadRun(ctx, folded.Record.TenantID, k.runID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	s.judge(w, folded, row, err == nil, k.movedAt.After(now.Add(-grace)), out)
	return nil
}

// judge compares one row. A row that is late is given time, one that is wrong is not.
func (s *Survey) judge(w runs.Whole, folded history.Folded, row store.Snapshot, found, young bool, out *Verified) {
	differs := func(format string, args ...any) {
		out.Different = append(out.Different, Failed{w.RunID, fmt.Sprintf(format, args...)})
	}
	late := func(what string) {
		if young || !history.HasClosed(w.Events) && found {
			out.Behind++
			return
		}
		differs("%s", what)
	}
	switch {
	case !found:
		late("it has no row")
	case row.Builder > history.Builder:
		out.Newer++
	case row.Record.TemporalRunID != w.TemporalRunID:
		late("the row is of another Temporal run, from before a reset")
	case row.Record.LastEventID != folded.Record.LastEventID:
		part := w
		part.Events = upTo(w, row.Record.LastEventID)
		then, err := s.source.Fold(part)
		if err != nil || difference(then, row) != "" {
			differs("the row says event %d and is not the fold up to there", row.Record.LastEventID)
			return
		}
		late(fmt.Sprintf("the row ends with event %d of %d", row.Record.LastEventID, folded.Record.LastEventID))
	default:
		if what := difference(folded, row); what != "" {
			differs("%s", what)
			return
		}
		out.Equal++
	}
}

func upTo(w runs.Whole, lastEventID int64) (events []*historypb.HistoryEvent) {
	for _, e := range w.Events {
		if e.GetEventId() <= lastEventID {
			events = append(events, e)
		}
	}
	return events
}

// difference says where a row and a fold of the same events part, or nothing.
func difference(folded history.Folded, row store.Snapshot) string {
	want, err := store.Encode(store.Snapshot{Record: folded.Record, Events: folded.Events})
	if err != nil {
		return err.Error()
	}
	got, err := store.Encode(row)
	switch {
	case err != nil:
		return err.Error()
	case !bytes.Equal(want.Record, got.Record):
		return "the record differs from the fold: " + part(folded.Record, row.Record)
	case len(want.Events) != len(got.Events):
		return fmt.Sprintf("the row has %d events and the fold %d", len(got.Events), len(want.Events))
	}
	for i := range want.Events {
		if !bytes.Equal(want.Events[i], got.Events[i]) {
			return fmt.Sprintf("event %d of the run (Temporal's %d) differs", i+1, folded.Events[i].EventID)
		}
	}
	return ""
}

// part says roughly where two records part, without quoting texts.
func part(want, got run.Record) string {
	switch {
	case want.Status != got.Status:
		return fmt.Sprintf("status %s, and the fold says %s", got.Status, want.Status)
	case len(want.Tasks) != len(got.Tasks):
		return "its tasks"
	case want.TenantID != got.TenantID:
		return "its tenant"
	}
	return fmt.Sprintf("at event %d", want.LastEventID)
}
