package app

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/workflows"
)

// WorkerOptions say what a worker process does.
type WorkerOptions struct {
	// Only is "workflows", "activities" or empty for both.
	Only string
	// Timing is the workflows' timing.
	Timing workflows.Timing
	// Ready is called once when the worker polls.
	Ready func()
}

const (
	// stopTimeout is above the longest attempt, so that a deploy abandons no call
	// that is being paid for.
	stopTimeout = 160 * time.Second
	// concurrentCalls bounds the activities of one worker. They wait for the
	// network, so there may be many more than cores.
	concurrentCalls = 200
)

// Worker polls until the context ends, then finishes what is in flight.
func (a *App) Worker(ctx context.Context, o WorkerOptions) error {
	dirty := projector.NewDirty()
	c, options, err := a.dial(ctx, dirty.Hints())
	if err != nil {
		return err
	}
	defer c.Close()
	if err := RegisterAttributes(ctx, c, options.Namespace); err != nil {
		a.env.Log.Warn("runs will have no search attributes", "error", err)
	}
	w, err := a.newWorker(ctx, c, o)
	if err != nil {
		return err
	}
	if err := w.Start(); err != nil {
		return fmt.Errorf("start the worker: %w", err)
	}
	stopProjector, err := a.project(ctx, c, options.Namespace, dirty)
	if err != nil {
		return err
	}
	if o.Ready != nil {
		o.Ready()
	}
	<-ctx.Done()
	w.Stop()
	stopProjector()
	return nil
}

func (a *App) newWorker(ctx context.Context, c client.Client, o WorkerOptions) (worker.Worker, error) {
	w := worker.New(c, a.Config.TaskQueue, worker.Options{
		WorkerStopTimeout:                  stopTimeout,
		MaxConcurrentActivityExecutionSize: concurrentCalls,
		DisableWorkflowWorker:              o.Only == "activities",
		LocalActivityWorkerOnly:            o.Only == "workflows",
	})
	if o.Only != "activities" {
		w.RegisterWorkflowWithOptions(workflows.New(o.Timing, nil).Run, workflow.RegisterOptions{Name: history.WorkflowType})
	}
	if o.Only != "workflows" {
		deps, err := a.dependencies(ctx)
		if err != nil {
			return nil, err
		}
		activities.New(deps).Register(w)
	}
	return w, nil
}

// project runs the projector beside the worker. The returned function stops it
// after one last round, so that what the worker did at its end is in the mirror.
func (a *App) project(ctx context.Context, c client.Client, namespace string, dirty *projector.Dirty) (stop func(), err error) {
	mirror, _, err := a.Store(ctx)
	if err != nil {
		return nil, err
	}
	p := projector.New(a.runsOf(c, namespace), mirror, dirty, projector.Options{Log: a.env.Log})
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Run(ctx)
	}()
	return func() {
		<-done
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRound)
		defer cancel()
		if err := p.Drain(last); err != nil {
			a.env.Log.Debug("the mirror will be caught up by the next worker", "error", err)
		}
	}, nil
}

// lastRound bounds how long a stopping worker still projects.
const lastRound = 3 * time.Second
