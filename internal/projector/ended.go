package projector

import (
	"sync"
	"time"
)

// ended remembers the runs that were projected with their end, so that a sweep
// does not fold again what closed within its overlap.
type ended struct {
	mu   sync.Mutex
	runs map[string]time.Time
}

func newEnded() *ended { return &ended{runs: make(map[string]time.Time)} }

func (e *ended) add(runID string, at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs[runID] = at
}

func (e *ended) has(runID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, there := e.runs[runID]
	return there
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
