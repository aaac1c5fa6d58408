package demo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tutti-dev/tutti/internal/provider"
	"github.com/tutti-dev/tutti/internal/txscope"
)

// Client is the demo provider. It implements provider.Caller.
type Client struct{}

// New makes the demo provider.
func New() Client { return Client{} }

// Call implements provider.Caller. It refuses in an open transaction like a real
// provider, so that a demo finds the same mistakes.
func (Client) Call(ctx context.Context, ep provider.Endpoint, req provider.Request) (provider.Outcome, error) {
	if txscope.Open(ctx) {
		return provider.Outcome{}, provider.ErrTransactionOpen
	}
	latency, known := latencyOf(req.Model)
	if !known {
		return provider.Outcome{Class: provider.ModelNotFound, ErrCode: "model_not_found"}, nil
	}
	started := time.Now()
	late, err := wait(ctx, latency, ep.Deadline())
	if err != nil {
		return provider.Outcome{}, fmt.Errorf("the call was cancelled: %w", err)
	}
	if late {
		return provider.Outcome{Class: provider.Timeout, ErrType: "transport", ErrCode: "deadline", Elapsed: time.Since(started)}, nil
	}
	text := answer(req)
	out := provider.Answer(text, req.Model, provider.Usage{
		InputTokens:  tokens(len(req.System) + len(req.User)),
		OutputTokens: tokens(len(text)),
	})
	out.Elapsed = time.Since(started)
	return out, nil
}

// Check implements provider.Checker: the demo is always there.
func (Client) Check(context.Context, provider.Endpoint) (provider.Outcome, error) {
	return provider.Outcome{Class: provider.OK}, nil
}

// latencyOf reads the model's name: echo or echo-<ms>.
func latencyOf(model string) (time.Duration, bool) {
	if model == "echo" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(model, "echo-")
	if !ok {
		return 0, false
	}
	ms, err := strconv.ParseUint(digits, 10, 31)
	return time.Duration(ms) * time.Millisecond, err == nil
}

// wait lets the latency pass. It is late when the deadline is shorter, the
// endpoint's or the context's.
func wait(ctx context.Context, latency, deadline time.Duration) (late bool, err error) {
	timer := time.NewTimer(min(latency, deadline))
	defer timer.Stop()
	select {
	case <-timer.C:
		return latency > deadline, nil
	case <-ctx.Done():
		if ctx.Err() == context.DeadlineExceeded {
			return true, nil
		}
		return false, ctx.Err()
	}
}

func tokens(bytes int) *int64 { return provider.Count(int64((bytes + 3) / 4)) }
