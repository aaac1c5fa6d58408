package store

import "bytes"

// Version is what decides which of two projections of a run is kept. It stands
// in each row.
type Version struct {
	TemporalRunID string
	LastEventID   int64
	Builder       int
}

// Version returns the snapshot's own.
func (s Snapshot) Version() Version {
	return Version{
		TemporalRunID: s.Record.TemporalRunID,
		LastEventID:   s.Record.LastEventID,
		Builder:       s.Builder,
	}
}

// Supersedes says whether the snapshot is to replace the stored version. It is
// the one place of that rule; every adapter asks it while it holds the run's
// lock.
func (s Snapshot) Supersedes(stored Version) bool {
	mine := s.Version()
	if mine.Builder < stored.Builder {
		// Two versions of tutti run side by side: the older one knows less, and what
		// it would write the newer one would have to write again.
		return false
	}
	if mine.TemporalRunID != stored.TemporalRunID {
		return s.Current
	}
	if mine.LastEventID != stored.LastEventID {
		return mine.LastEventID > stored.LastEventID
	}
	return mine.Builder > stored.Builder || s.Rebuild
}

// StoredEvents is what an adapter knows of the events it holds of a run.
type StoredEvents struct {
	Version Version
	Count   int
	Last    []byte // the last event, encoded
}

// NewFrom returns the index of the first of the encoded events that has to be
// written. It is Count when the stored events are a beginning of these: one
// builder folds one history, and a history only grows. Otherwise it is 0, and
// the stored events have to go.
func (e StoredEvents) NewFrom(v Version, events [][]byte) int {
	sameFold := e.Version.TemporalRunID == v.TemporalRunID && e.Version.Builder == v.Builder
	if !sameFold || e.Count == 0 || e.Count > len(events) || !bytes.Equal(events[e.Count-1], e.Last) {
		return 0
	}
	return e.Count
}
