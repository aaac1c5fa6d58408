package activities

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errNoSlot says that no slot came free in the time that was left. Nothing was
// asked of anybody.
var errNoSlot = errors.New("the worker makes as many calls to this provider as it may")

// slots bound the calls in flight of this process, per provider.
type slots map[string]chan struct{}

func newSlots(concurrency map[string]int) slots {
	s := make(slots, len(concurrency))
	for provider, n := range concurrency {
		if n > 0 {
			s[provider] = make(chan struct{}, n)
		}
	}
	return s
}

// acquire waits for a slot at most so long, while the worker runs. The returned
// function gives it back and may be called again.
func (s slots) acquire(ctx context.Context, stopping <-chan struct{}, provider string, patience time.Duration) (release func(), err error) {
	slot, limited := s[provider]
	if !limited {
		return func() {}, nil
	}
	held := true
	give := func() {
		if held {
			held = false
			<-slot
		}
	}
	select {
	case slot <- struct{}{}: // Also when there is no time to wait.
		return give, nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case slot <- struct{}{}:
		return give, nil
	case <-stopping:
		return nil, fmt.Errorf("the worker is stopping: %w", errNoSlot)
	case <-timer.C:
		return nil, errNoSlot
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
