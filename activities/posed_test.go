package activities_test

import (
	"context"
	"slices"
	"sync"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"

	"github.com/tutti-dev/tutti/internal/history"
)

// posed stands between an activity and the SDK: it says which attempt this is,
// and keeps the details of heartbeats as the server would.
type posed struct {
	interceptor.WorkerInterceptorBase
	mu      sync.Mutex
	change  func(*activity.Info)
	carried []history.Attempt
	stop    chan struct{}
	token   string // of the last activity that asked who it is
}

func (p *posed) pose(change func(*activity.Info)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

func (p *posed) details() []history.Attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.carried)
}

func (p *posed) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	in := &posedInbound{posed: p}
	in.Next = next
	return in
}

type posedInbound struct {
	interceptor.ActivityInboundInterceptorBase
	posed *posed
}

func (i *posedInbound) Init(outbound interceptor.ActivityOutboundInterceptor) error {
	out := &posedOutbound{posed: i.posed}
	out.Next = outbound
	return i.Next.Init(out)
}

type posedOutbound struct {
	interceptor.ActivityOutboundInterceptorBase
	posed *posed
}

func (o *posedOutbound) GetInfo(ctx context.Context) activity.Info {
	info := o.Next.GetInfo(ctx)
	o.posed.mu.Lock()
	defer o.posed.mu.Unlock()
	o.posed.token = string(info.TaskToken)
	if o.posed.change != nil {
		o.posed.change(&info)
	}
	return info
}

func (o *posedOutbound) RecordHeartbeat(_ context.Context, details ...any) {
	o.posed.mu.Lock()
	defer o.posed.mu.Unlock()
	o.posed.carried = nil
	if len(details) == 1 {
		o.posed.carried = details[0].([]history.Attempt)
	}
}

func (o *posedOutbound) HasHeartbeatDetails(context.Context) bool { return len(o.posed.details()) > 0 }

func (o *posedOutbound) GetHeartbeatDetails(_ context.Context, into ...any) error {
	*into[0].(*[]history.Attempt) = o.posed.details()
	return nil
}

func (o *posedOutbound) GetWorkerStopChannel(ctx context.Context) <-chan struct{} {
	if o.posed.stop != nil {
		return o.posed.stop
	}
	return o.Next.GetWorkerStopChannel(ctx)
}
