package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// beat tells Temporal that the activity is alive, from a third of the heartbeat
// timeout on, so that a short call costs no beat. The returned function stops
// it. A cancellation of the run reaches the activity's context with a beat.
func (a *Activities) beat(ctx context.Context) (stop func()) {
	timeout := activity.GetInfo(ctx).HeartbeatTimeout
	if timeout <= 0 {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(timeout / 3)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return func() { close(done) }
}
