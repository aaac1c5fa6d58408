package activities

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/tutti-dev/tutti/internal/history"
)

// pulse is the activity's heartbeat. Its context is the activity's, but ends too
// when the activity fences itself.
//
// Its beats carry the attempts that the store does not have: the next attempt
// finds them there, and a worker that is lost leaves them in the history.
type pulse struct {
	ctx context.Context //nolint:containedctx // the pulse is what ends this context

	mu      sync.Mutex
	carried []history.Attempt
}

// beat tells Temporal that the activity is alive, from a third of the heartbeat
// timeout on, so that a short call costs no beat. The returned function stops
// it. A cancellation of the run reaches the activity's context with a beat.
func (a *Activities) beat(ctx context.Context) (p *pulse, stop func()) {
	info := activity.GetInfo(ctx)
	inner, cancel := context.WithCancelCause(ctx)
	p = &pulse{ctx: inner}
	if activity.HasHeartbeatDetails(ctx) {
		// Details that do not decode are another version's, and say nothing here.
		_ = activity.GetHeartbeatDetails(ctx, &p.carried)
	}
	end := func() {}
	if timeout := info.HeartbeatTimeout; timeout > 0 {
		if a.d.Beats != nil {
			end = a.d.Beats.watch(inner, info.TaskToken, timeout, cancel)
		}
		go p.run(ctx, timeout/3)
	}
	return p, func() {
		end()
		cancel(nil)
	}
}

// run beats under the activity's own context until the pulse's ends.
func (p *pulse) run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-tick.C:
			p.record(ctx)
		}
	}
}

// carry puts attempts into the place of those that were carried so far, and lets
// Temporal know at once.
func (p *pulse) carry(ctx context.Context, attempts []history.Attempt) {
	p.mu.Lock()
	p.carried = slices.Clone(attempts)
	p.mu.Unlock()
	p.record(ctx)
}

func (p *pulse) record(ctx context.Context) {
	if carried := p.load(); len(carried) > 0 {
		activity.RecordHeartbeat(ctx, carried)
		return
	}
	activity.RecordHeartbeat(ctx)
}

func (p *pulse) load() []history.Attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.carried)
}
