package testenv

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

var errNotYet = errors.New("not yet")

func TestAwaitLooksUntilTheConditionHolds(t *testing.T) {
	t.Parallel()
	looks := 0
	err := await(t.Context(), func() error {
		looks++
		if looks < 3 {
			return errNotYet
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, looks)
}

func TestAwaitEndsWithTheContextAndTheLastReason(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	looks := 0
	err := await(ctx, func() error {
		if looks++; looks == 2 {
			cancel()
		}
		return fmt.Errorf("look %d: %w", looks, errNotYet)
	})
	require.ErrorIs(t, err, errNotYet)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "look")
}

func TestFreePortsAreReservedAndDistinct(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for range 20 {
		port, err := FreePort()
		require.NoError(t, err)
		require.Falsef(t, seen[port], "port %d came twice", port)
		seen[port] = true
	}
}

// groupGone says whether a process group has no member any more, zombies apart from a parent that
// does not wait for them.
func groupGone(group int) error {
	err := syscall.Kill(-group, 0)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return fmt.Errorf("group %d has a member: %w", group, errors.Join(errNotYet, err))
}
