package testenv

import (
	"bytes"
	"regexp"
	"sync"
)

// Output collects what a process writes and lets any number of readers wait for a line.
type Output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // closed and replaced at every write
}

func newOutput() *Output {
	return &Output{changed: make(chan struct{})}
}

// Write adds to the output and wakes who waits for a line.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.changed)
	o.changed = make(chan struct{})
	return o.text.Write(p)
}

// String returns everything written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// find returns the submatches of the first complete line that matches, or nil and a channel that is
// closed when there is more to look at.
func (o *Output) find(pattern *regexp.Regexp) ([]string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	whole := o.text.Bytes()
	whole = whole[:bytes.LastIndexByte(whole, '\n')+1]
	for line := range bytes.Lines(whole) {
		if match := pattern.FindSubmatch(bytes.TrimRight(line, "\r\n")); match != nil {
			return asStrings(match), nil
		}
	}
	return nil, o.changed
}

func asStrings(match [][]byte) []string {
	texts := make([]string, len(match))
	for i, group := range match {
		texts[i] = string(group)
	}
	return texts
}
