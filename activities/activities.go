package activities

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/tutti-dev/tutti/internal/content"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/ledger"
	"github.com/tutti-dev/tutti/internal/provider"
)

// Endpoints resolves a provider's name to where to call and with which key. It
// is asked inside the activity, so that no key travels through Temporal. A name
// or key that cannot be had is a *Refusal.
type Endpoints interface {
	Endpoint(ctx context.Context, name string) (Resolved, error)
}

// Resolved is an endpoint, and where its key came from for messages that ask the
// user to mend it.
type Resolved struct {
	provider.Endpoint
	KeySource string
}

// Planner makes a plan of what a user typed by hand. A request that cannot be
// planned is a *Refusal.
type Planner interface {
	ResolvePlan(ctx context.Context, in history.RunInput) (history.PlanResult, error)
}

// Store is the kept data that activities read and write.
type Store interface {
	content.Store
	ledger.Calls
	ledger.Answers
	ledger.Prices
}

// Queues tells who polls a task queue for activities.
type Queues interface {
	ActivityPollers(ctx context.Context, queue string) (int, error)
}

// Dependencies are the ports that activities use.
type Dependencies struct {
	Store     Store
	Caller    provider.Caller
	Endpoints Endpoints
	Planner   Planner
	Queues    Queues
	Log       *slog.Logger
	// Beats knows which heartbeats Temporal took; its interceptor sits on the
	// worker's connection. Without it no call fences itself.
	Beats *Beats
	// Concurrency is the number of calls in flight per provider in this process.
	// A provider that is not in it has no limit.
	Concurrency map[string]int
	// Patience is how long a later attempt waits for a store that is away before
	// it gives up, and how often it looks. Zero means 10 s and 500 ms.
	Patience, Look time.Duration
	// Now and Jitter are for tests; nil means the clock and a random number in [0,1).
	Now    func() time.Time
	Jitter func() float64
}

// Activities are the functions that a worker runs.
type Activities struct {
	d     Dependencies
	slots slots
}

// New returns the activities over their ports.
func New(d Dependencies) *Activities {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Jitter == nil {
		d.Jitter = rand.Float64
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Patience == 0 {
		d.Patience = defaultPatience
	}
	if d.Look == 0 {
		d.Look = defaultLook
	}
	return &Activities{d: d, slots: newSlots(d.Concurrency)}
}

// Register registers each activity under the name that histories hold.
func (a *Activities) Register(r worker.ActivityRegistry) {
	r.RegisterActivityWithOptions(a.ExecuteTask, activity.RegisterOptions{Name: history.ActivityExecute})
	r.RegisterActivityWithOptions(a.MaterializePrompt, activity.RegisterOptions{Name: history.ActivityPrompt})
	r.RegisterActivityWithOptions(a.StoreContent, activity.RegisterOptions{Name: history.ActivityStore})
	r.RegisterActivityWithOptions(a.InspectQueue, activity.RegisterOptions{Name: history.ActivityQueue})
	r.RegisterActivityWithOptions(a.ResolvePlan, activity.RegisterOptions{Name: history.ActivityPlan})
}
