package projector

import (
	"sync"
	"time"
)

// ended remembers the runs that were projected with their end, so that a sweep
// does not fold again what closed within its overlap. They are remembered by
// Temporal's own run ID: after a reset the same run is another Temporal run.
type ended struct {
	mu   sync.Mutex
	runs map[string]time.Time
}

func newEnded() *ended { return &ended{runs: make(map[string]time.Time)} }

func (e *ended) add(temporalRunID string, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs[temporalRunID] = at
}

func (e *ended) has(temporalRunID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, there := e.runs[temporalRunID]
	return there
}

// between says how many ended at or after the one time and before the other.
func (e *ended) between(from, until time.Time) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, at := range e.runs {
		if !at.Before(from) && at.Before(until) {
			n++
		}
	}
	return n
}

// forget drops what ended before the time, which no sweep lists any more.
func (e *ended) forget(before time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, at := range e.runs {
		if at.Before(before) {
			delete(e.runs, id)
		}
	}
}
