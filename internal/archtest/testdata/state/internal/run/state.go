package run

import (
	_ "embed"
	"errors"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

type port interface{ Open() error }

type file struct{}

func (*file) Open() error { return nil }

var _ port = (*file)(nil)

var (
	errGone  = errors.New("gone")
	pattern  = regexp.MustCompile(`^a$`)
	table    = map[string][]int{"a": {1, 2}}
	once     = sync.OnceValue(func() int { return 1 })
	name     = status("a")
	renderer = map[int]func() *file{1: func() *file { return &file{} }}
)

type status string

var noTime time.Time

//go:embed state.go
var source []byte

var counter int              // [want] no value
var lock = sync.Mutex{}      // [want]
var current = &file{}        // [want]
var loaded = load()          // [want]
var cache = make(map[int]int) // [want]
var hits = atomic.Int64{}    // [want]
var written = []int{1}
var grown = map[int]int{}

func load() []int { return nil }

func use() {
	counter++          // [want]
	written[0] = 2     // [want]
	delete(grown, 1)   // [want]
	_ = &written       // [want]
	table["a"][0] = 3  // [want]
	written := []int{} // a local one
	written = append(written, len(table))
	written[0] = 1
}
