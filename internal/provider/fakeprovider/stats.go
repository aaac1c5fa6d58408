package fakeprovider

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Stats is what the server has seen since its start or the last reset.
type Stats struct {
	Models map[string]*ModelStats `json:"models"`
	Total  ModelStats             `json:"total"`
	// CredentialHeaders counts requests by credential header, lower case.
	CredentialHeaders map[string]int `json:"credential_headers"`
	LeakCheck         LeakStats      `json:"leakcheck"`
	// BadRequests counts bodies that were not JSON.
	BadRequests int `json:"bad_requests"`
}

// Model returns the statistics of a model; of one that was never called they are
// zero.
func (s Stats) Model(name string) ModelStats {
	if m := s.Models[name]; m != nil {
		return *m
	}
	return ModelStats{}
}

// ModelStats counts the calls of one model, or all.
type ModelStats struct {
	Calls          int            `json:"calls"`
	InFlight       int            `json:"in_flight"`
	MaxConcurrency int            `json:"max_concurrency"`
	Forced503      int            `json:"forced_503"`
	Statuses       map[string]int `json:"statuses"`
	Paths          map[string]int `json:"paths"`
	// CallTimesMS are the first 200 calls, since the start.
	CallTimesMS     []int64        `json:"call_times_ms"`
	IdempotencyKeys map[string]int `json:"idempotency_keys,omitempty"`
}

// LeakStats counts what came to a /leakcheck/ path, where nothing should.
type LeakStats struct {
	Hits              int            `json:"hits"`
	CredentialHeaders map[string]int `json:"credential_headers"`
}

const maxCallTimes = 200

// counter keeps the statistics, and lets others wait for a change.
type counter struct {
	mu      sync.Mutex
	start   time.Time
	stats   Stats
	changed chan struct{}
}

func newCounter() *counter {
	c := &counter{changed: make(chan struct{})}
	c.reset()
	return c
}

func newModelStats() ModelStats {
	return ModelStats{Statuses: map[string]int{}, Paths: map[string]int{}, IdempotencyKeys: map[string]int{}}
}

func (c *counter) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start = time.Now()
	c.stats = Stats{
		Models:            map[string]*ModelStats{},
		Total:             newModelStats(),
		CredentialHeaders: map[string]int{},
		LeakCheck:         LeakStats{CredentialHeaders: map[string]int{}},
	}
	c.notify()
}

// notify wakes all who wait; the lock is held.
func (c *counter) notify() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// enter counts a call and returns its number and the function that ends it.
func (c *counter) enter(model string, r *http.Request) (n int, leave func(status int, forced bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.stats.Models[model]
	if m == nil {
		fresh := newModelStats()
		m = &fresh
		c.stats.Models[model] = m
	}
	both := []*ModelStats{m, &c.stats.Total}
	for _, s := range both {
		s.begin(r, time.Since(c.start))
	}
	countCredentials(c.stats.CredentialHeaders, r)
	c.notify()
	start := c.start
	return m.Calls, func(status int, forced bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.start != start { // a reset came in between
			return
		}
		for _, s := range both {
			s.end(status, forced)
		}
		c.notify()
	}
}

func (s *ModelStats) begin(r *http.Request, at time.Duration) {
	s.Calls++
	s.InFlight++
	s.MaxConcurrency = max(s.MaxConcurrency, s.InFlight)
	s.Paths[r.URL.Path]++
	if len(s.CallTimesMS) < maxCallTimes {
		s.CallTimesMS = append(s.CallTimesMS, at.Milliseconds())
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		s.IdempotencyKeys[key]++
	}
}

func (s *ModelStats) end(status int, forced bool) {
	s.InFlight--
	s.Statuses[strconv.Itoa(status)]++
	if forced {
		s.Forced503++
	}
}

func (c *counter) countBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.BadRequests++
}

func (c *counter) countLeak(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.LeakCheck.Hits++
	countCredentials(c.stats.LeakCheck.CredentialHeaders, r)
}

func countCredentials(counts map[string]int, r *http.Request) {
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie"} {
		if r.Header.Get(name) != "" {
			counts[strings.ToLower(name)]++
		}
	}
}

// snapshot encodes the statistics, says how often a model was called, and returns
// the channel that is closed at the next change.
func (c *counter) snapshot(model string) (encoded []byte, calls int, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	encoded, _ = json.Marshal(c.stats)
	return encoded, c.stats.Model(model).Calls, c.changed
}
