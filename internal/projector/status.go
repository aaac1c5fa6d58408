package projector

import (
	"context"
	"errors"
	"time"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/store"
)

// Status says how far the mirror is behind the runs, and why.
type Status struct {
	// Watermark is the close time up to which closed runs are known to be in the mirror.
	Watermark *time.Time `json:"watermark"`
	// Sweeper is the process that sweeps, empty for none.
	Sweeper      string     `json:"sweeper"`
	SweeperUntil *time.Time `json:"sweeperUntil"`
	// Rows are all runs of the mirror, Open those that it holds as open, Outdated
	// those of an older fold.
	Rows     int `json:"rows"`
	Open     int `json:"open"`
	Outdated int `json:"outdated"`
	// Dirty runs have moved on since their row was made, or have no row. LagSeconds
	// is how long the longest of them waits.
	Dirty      int     `json:"dirty"`
	LagSeconds float64 `json:"lagSeconds"`
	// Failed runs cannot be folded; each names the event.
	Failed []Failed `json:"failed"`
	// Unknown counts event types that the fold does not know, in the runs looked at.
	Unknown map[string]int `json:"unknownEvents"`
}

// Status compares what Temporal lists with the rows and folds only what may be
// behind: open runs, and closed ones whose row does not say so.
func (s *Survey) Status(ctx context.Context, now time.Time) (Status, error) {
	out := Status{Failed: []Failed{}, Unknown: make(map[string]int)}
	if err := s.sweeper(ctx, &out); err != nil {
		return out, err
	}
	rows := make(map[string]store.Open)
	if err := s.rows(ctx, func(o store.Open) {
		rows[o.RunID] = o
		if o.Builder < history.Builder {
			out.Outdated++
		}
	}); err != nil {
		return out, err
	}
	out.Rows = len(rows)
	openRows, err := s.openRows(ctx)
	if err != nil {
		return out, err
	}
	out.Open = len(openRows)
	seen := make(map[string]bool)
	err = s.source.AllRuns(ctx, func(page []runs.Listed) error {
		for _, l := range page {
			row, there := rows[l.RunID]
			settled := there && !l.ClosedAt.IsZero() && !openRows[l.RunID] && row.Builder >= history.Builder
			if settled || seen[l.RunID] {
				continue
			}
			seen[l.RunID] = true
			if err := s.lookAt(ctx, l.RunID, row, now, &out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (s *Survey) sweeper(ctx context.Context, out *Status) error {
	at, err := s.mirror.Watermark(ctx)
	if err != nil {
		return err
	}
	if !at.IsZero() {
		out.Watermark = &at
	}
	held, err := s.mirror.LoadLease(ctx, store.SweeperLease)
	if err == nil && held.Holder != "" {
		out.Sweeper, out.SweeperUntil = held.Holder, &held.Until
	}
	return err
}

func (s *Survey) openRows(ctx context.Context) (map[string]bool, error) {
	open := make(map[string]bool)
	after := ""
	for {
		page, err := s.mirror.OpenRuns(ctx, store.MaxLimit, after)
		if err != nil || len(page) == 0 {
			return open, err
		}
		for _, o := range page {
			open[o.RunID] = true
		}
		after = page[len(page)-1].Key()
	}
}

func (s *Survey) lookAt(ctx context.Context, runID string, row store.Open, now time.Time, out *Status) error {
	w, err := s.source.Whole(ctx, runID)
	if errors.Is(err, runs.ErrNotFound) {
		return nil
	}
	if err != nil && stops(ctx, err) {
		return err
	}
	var folded history.Folded
	if err == nil {
		folded, err = s.source.Fold(w)
	}
	if err != nil {
		out.Failed = append(out.Failed, Failed{runID, err.Error()})
		return nil
	}
	for name, n := range folded.Unknown {
		out.Unknown[name] += n
	}
	if folded.Record.TenantID == "" {
		return nil
	}
	for _, e := range w.Events {
		if row.TemporalRunID == w.TemporalRunID && e.GetEventId() <= row.LastEventID {
			continue
		}
		out.Dirty++
		out.LagSeconds = max(out.LagSeconds, now.Sub(e.GetEventTime().AsTime()).Seconds())
		break
	}
	return nil
}
