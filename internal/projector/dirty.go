package projector

import (
	"maps"
	"sync"
	"time"
)

// Dirty is the set of runs that may have changed since they were projected.
// Marking does no I/O and never waits; a run marked often is taken once.
//
// A run that has closed, or of which nothing is known, is due at once. One that
// goes on is due after the calm: its next changes are likely to be near, and one
// fold serves them all.
type Dirty struct {
	mu   sync.Mutex
	runs map[string]*mark
	// due and later hold the runs in the order in which they were marked. Of a run
	// that has moved from later to due, the place in later is void.
	due   []string
	later []*mark
	// changed is when a hint came last, turn when open runs may become due although
	// hints are coming.
	changed, turn time.Time
	// closed is when a run was marked that has closed, for a while.
	closed map[string]time.Time
	// first is when a run was marked that has not been projected since.
	first map[string]time.Time
	wake  chan struct{}
}

// mark is a run that waits, and until when.
type mark struct {
	runID string
	until time.Time
	due   bool
}

const (
	// calm is how long a run that goes on may gather changes before it is folded.
	calm = time.Second
	// quiet is how long no hint came when open runs have the projector's whole time.
	quiet = 200 * time.Millisecond
	// openShare is how many times as long as a projection of open runs took there is
	// none of others while hints are coming: what a busy worker has left belongs to
	// its runs. The end of a run waits for none of them.
	openShare = 20
	// closedFor is how long it is remembered at least that a run has closed, which is
	// longer than a call to Temporal lasts; maxClosed is how many there may be until
	// the older ones are looked for.
	closedFor = 2 * time.Minute
	maxClosed = 4096
)

// NewDirty returns an empty set.
func NewDirty() *Dirty {
	return &Dirty{runs: make(map[string]*mark), closed: make(map[string]time.Time), first: make(map[string]time.Time), wake: make(chan struct{}, 1)}
}

// Mark adds a run that is due at once.
func (d *Dirty) Mark(runID string) {
	d.mu.Lock()
	m := d.add(runID)
	if !m.due {
		m.due = true
		d.due = append(d.due, runID)
	}
	d.mu.Unlock()
	d.wakeUp()
}

// MarkClosed adds a run that has closed: it is due at once.
func (d *Dirty) MarkClosed(runID string, now time.Time) {
	d.mu.Lock()
	d.changed = now
	if d.closed[runID] = now; len(d.closed) > maxClosed {
		maps.DeleteFunc(d.closed, func(_ string, at time.Time) bool { return now.Sub(at) > closedFor })
	}
	d.mu.Unlock()
	d.Mark(runID)
}

// closedSince says whether a run was marked as closed after the time.
func (d *Dirty) closedSince(runID string, begun time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, closed := d.closed[runID]
	return closed && !at.Before(begun)
}

// MarkOpen adds a run that goes on: it is due after the calm. A run that waits
// already does not wait any longer for it.
func (d *Dirty) MarkOpen(runID string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changed = now
	if _, there := d.runs[runID]; there {
		return
	}
	m := d.add(runID)
	m.until = now.Add(calm)
	if d.later = append(d.later, m); len(d.later) == 1 {
		d.wakeUp() // Else somebody waits for the one before it.
	}
}

func (d *Dirty) add(runID string) *mark {
	m, there := d.runs[runID]
	if !there {
		m = &mark{runID: runID}
		d.runs[runID] = m
		if _, waits := d.first[runID]; !waits {
			d.first[runID] = time.Now()
		}
	}
	return m
}

func (d *Dirty) wakeUp() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take removes and returns at most n runs that are due, the longest waiting first.
func (d *Dirty) take(n int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	n = min(n, len(d.due))
	taken := d.due[:n:n]
	d.due = d.due[n:]
	for _, id := range taken {
		delete(d.runs, id)
	}
	return taken
}

// ripen makes at most n open runs due whose calm is over, and says after how long to
// ask again: at once when it did, not before the next mark when none waits.
func (d *Dirty) ripen(now time.Time, n int) (again time.Duration, some bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for ripened := false; ; ripened = true {
		for len(d.later) > 0 && d.later[0].due {
			d.later = d.later[1:]
		}
		if n == 0 || len(d.later) == 0 {
			return 0, ripened
		}
		m := d.later[0]
		if wait := max(m.until.Sub(now), min(d.turn.Sub(now), d.changed.Add(quiet).Sub(now))); wait > 0 {
			if ripened {
				wait = 0
			}
			return wait, true
		}
		d.later = d.later[1:]
		m.due = true
		d.due = append(d.due, m.runID)
		n--
	}
}

// rest keeps the open runs of a busy worker from becoming due until they have had no
// more than their share of the time, after a projection that took so long.
func (d *Dirty) rest(now time.Time, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn = now.Add(took * openShare)
}

// gathers says that some runs are due, and fewer than are worth a batch.
func (d *Dirty) gathers(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.due) > 0 && len(d.due) < n
}

// ripenAll makes every run due.
func (d *Dirty) ripenAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range d.later {
		if !m.due {
			m.due = true
			d.due = append(d.due, m.runID)
		}
	}
	d.later = nil
}

// Len says how many runs wait.
func (d *Dirty) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.runs)
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
