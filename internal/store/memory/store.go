package memory

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/store"
)

// Store is the adapter. It is safe for concurrent use.
type Store struct {
	mu        sync.Mutex
	runs      map[runKey]row
	watermark time.Time
	contents  map[contentKey][]byte
	calls     map[ledger.CallKey][]ledger.Attempt
	sources   map[sourceKey]int
	answers   map[answerKey]ledger.Answer
	prices    map[priceKey]ledger.PriceRow
	put       map[contentKey]time.Time // when each content was last put
	leases    map[string]store.Lease
	histories map[ledger.HistoryKey][]ledger.History

	specialists map[specialistKey]ledger.SpecialistRow
}

var _ store.Store = (*Store)(nil)

type (
	runKey     struct{ tenant, runID string }
	contentKey struct{ tenant, sha256 string }
	sourceKey  struct{ tenant, source string }
	priceKey   struct{ tenant, id string }

	specialistKey struct{ tenant, name, version string }

	answerKey struct {
		ledger.CallKey
		promptSHA256 string
	}
)

// New makes an empty store.
func New() *Store {
	return &Store{
		runs:     make(map[runKey]row),
		contents: make(map[contentKey][]byte),
		calls:    make(map[ledger.CallKey][]ledger.Attempt),
		sources:  make(map[sourceKey]int),
		answers:  make(map[answerKey]ledger.Answer),
		prices:   make(map[priceKey]ledger.PriceRow),

		put:         make(map[contentKey]time.Time),
		leases:      make(map[string]store.Lease),
		histories:   make(map[ledger.HistoryKey][]ledger.History),
		specialists: make(map[specialistKey]ledger.SpecialistRow),
	}
}

// Name implements store.Store.
func (s *Store) Name() string { return "memory" }

// Check implements store.Store.
func (s *Store) Check(ctx context.Context) error { return s.locked(ctx, func() {}) }

// Close implements store.Store. There is nothing to close.
func (s *Store) Close() error { return nil }

// locked runs work while nobody else does, unless nobody waits for it any more.
func (s *Store) locked(ctx context.Context, work func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	work()
	return nil
}
