package testenv

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// pollInterval is how often a condition is looked at: far below what a person notices and far above
// what a look costs.
const pollInterval = 20 * time.Millisecond

// Eventually looks at a condition until it holds, and fails the test when it does not within the
// time. The check returns nil when the condition holds, else what is still missing, which becomes
// part of the failure text.
func Eventually(t testing.TB, within time.Duration, what string, check func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), within)
	defer cancel()
	if err := await(ctx, check); err != nil {
		t.Fatalf("%s: not within %s: %v", what, within, err)
	}
}

// await looks at a condition until it holds or the context ends; then it returns the last reason.
func await(ctx context.Context, check func() error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (%w)", err, ctx.Err())
		case <-ticker.C:
		}
	}
}
