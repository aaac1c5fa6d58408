package activities

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// fenceAt is the part of the heartbeat timeout after which a call without a good
// beat stops itself: before the server gives the task to another worker.
const fenceAt = 0.8

// errFenced is the cause with which a call is cancelled by its own fence.
var errFenced = errors.New("no heartbeat has reached Temporal for most of the heartbeat timeout")

// Beats notes when Temporal last took a heartbeat of each running activity. The
// SDK keeps a call running while the server is out of reach; by then the server
// may have started another one. A Beats belongs to one worker's connection.
type Beats struct {
	mu   sync.Mutex
	last map[string]time.Time // by task token
}

// NewBeats returns a Beats that knows no activity.
func NewBeats() *Beats { return &Beats{last: make(map[string]time.Time)} }

// Interceptor is a gRPC interceptor for the worker's connection. A beat counts
// from when it was sent, because the server's clock cannot start earlier.
func (b *Beats) Interceptor() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		sent := time.Now()
		err := invoke(ctx, method, req, reply, cc, opts...)
		if beat, ok := req.(*workflowservice.RecordActivityTaskHeartbeatRequest); ok && err == nil && strings.HasSuffix(method, "/RecordActivityTaskHeartbeat") {
			b.took(string(beat.GetTaskToken()), sent)
		}
		return err
	}
}

func (b *Beats) took(token string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if last, running := b.last[token]; running && at.After(last) {
		b.last[token] = at
	}
}

// watch cancels the context with errFenced once the activity's last good beat is
// too old. The monotonic clock goes on while a process is stopped, so one that
// is continued after too long finds that out at its first tick. The returned
// function ends the watch.
func (b *Beats) watch(ctx context.Context, token []byte, timeout time.Duration, cancel context.CancelCauseFunc) (end func()) {
	key := string(token)
	b.mu.Lock()
	b.last[key] = time.Now()
	b.mu.Unlock()
	limit := time.Duration(fenceAt * float64(timeout))
	go func() {
		tick := time.NewTicker(max(timeout/50, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if b.age(key) > limit {
					cancel(errFenced)
					return
				}
			}
		}
	}()
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.last, key)
	}
}

func (b *Beats) age(token string) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	last, running := b.last[token]
	if !running {
		return 0
	}
	return time.Since(last)
}
