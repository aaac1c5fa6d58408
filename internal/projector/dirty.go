package projector

import (
	"sync"
	"time"
)

// Dirty is the set of runs that may have changed since they were projected.
// Marking does no I/O and never waits; a run marked often is taken once.
type Dirty struct {
	mu   sync.Mutex
	runs map[string]struct{}
	list []string
	// first is when a run was marked that has not been projected since.
	first map[string]time.Time
	wake  chan struct{}
}

// NewDirty returns an empty set.
func NewDirty() *Dirty {
	return &Dirty{runs: make(map[string]struct{}), first: make(map[string]time.Time), wake: make(chan struct{}, 1)}
}

// Mark adds a run.
func (d *Dirty) Mark(runID string) {
	d.mu.Lock()
	if _, there := d.runs[runID]; !there {
		d.runs[runID] = struct{}{}
		d.list = append(d.list, runID)
		if _, waits := d.first[runID]; !waits {
			d.first[runID] = time.Now()
		}
	}
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take removes and returns at most n runs, the longest waiting first.
func (d *Dirty) take(n int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	n = min(n, len(d.list))
	taken := d.list[:n:n]
	d.list = d.list[n:]
	for _, id := range taken {
		delete(d.runs, id)
	}
	return taken
}

// Len says how many runs wait.
func (d *Dirty) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.list)
}

// done forgets since when a run has been waiting, unless it was marked again.
func (d *Dirty) done(runID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, again := d.runs[runID]; again {
		d.first[runID] = time.Now()
		return
	}
	delete(d.first, runID)
}

// Lag is how long the run has been waiting that has waited longest, those included
// that are being projected just now.
func (d *Dirty) Lag(now time.Time) (longest time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range d.first {
		longest = max(longest, now.Sub(at))
	}
	return longest
}
