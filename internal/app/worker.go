package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/tutti-dev/tutti/activities"
	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/workflows"
)

// WorkerOptions say what a worker process does.
type WorkerOptions struct {
	// Only is "workflows", "activities" or empty for both.
	Only string
	// Timing is the workflows' timing.
	Timing workflows.Timing
	// MakeCurrent sends all runs that are not pinned to this worker's version.
	MakeCurrent bool
	// Ready is called once when the worker polls.
	Ready func(Polling)
	// Stopping is called once when the worker takes no more and finishes its calls.
	Stopping func()
	// Metrics is the address of the metrics endpoint, or empty for none.
	Metrics string
}

const (
	// stopSlack is what a stopping worker gives a call beyond its own deadline, to
	// store what it paid for.
	stopSlack = 40 * time.Second
	// concurrentCalls bounds the activities of one worker. They wait for the
	// network, so there may be many more than cores.
	concurrentCalls = 200
)

// stopTimeout is above the longest attempt of any provider, so that a deploy
// abandons no call that is being paid for.
func (a *App) stopTimeout() time.Duration {
	longest := time.Duration(0)
	for _, d := range a.Providers() {
		longest = max(longest, d.Timeout)
	}
	return longest + stopSlack
}

// Worker polls until the context ends, then finishes what is in flight.
func (a *App) Worker(ctx context.Context, o WorkerOptions) error {
	dirty, beats := projector.NewDirty(), activities.NewBeats()
	stopMetrics, err := a.serveMetrics(ctx, o.Metrics, dirty)
	if err != nil {
		return err
	}
	defer stopMetrics()
	c, options, err := a.dial(ctx, dirty.Hints(), beats.Interceptor())
	if err != nil {
		return err
	}
	defer c.Close()
	if err := RegisterAttributes(ctx, c, options.Namespace); err != nil {
		a.env.Log.Warn("runs will have no search attributes", "error", err)
	}
	workers, err := a.newWorkers(ctx, c, beats, o)
	if err != nil {
		return err
	}
	var started []worker.Worker
	stop := sync.OnceFunc(func() { stopAll(started) })
	defer stop()
	for _, w := range workers {
		if err := w.Start(); err != nil {
			return fmt.Errorf("start the worker: %w", runs.Translate(err))
		}
		started = append(started, w)
	}
	stopProjector, err := a.project(ctx, c, options.Namespace, dirty)
	if err != nil {
		return err
	}
	if o.Ready != nil {
		o.Ready(a.polling(ctx, c, options.Namespace, o))
	}
	<-ctx.Done()
	if o.Stopping != nil {
		o.Stopping()
	}
	stop()
	stopProjector()
	return nil
}

// stopAll lets all workers finish what they have in flight, at the same time.
func stopAll(workers []worker.Worker) {
	var group sync.WaitGroup
	for _, w := range workers {
		group.Go(w.Stop)
	}
	group.Wait()
}

// newWorkers makes the worker of tutti's own queue and, where it does activities,
// one for the queue of each provider whose rate holds across workers. They share
// their activities, and so the limits of this process.
func (a *App) newWorkers(ctx context.Context, c client.Client, beats *activities.Beats, o WorkerOptions) ([]worker.Worker, error) {
	w := worker.New(c, a.Config.TaskQueue, worker.Options{
		WorkerStopTimeout:                  a.stopTimeout(),
		MaxConcurrentActivityExecutionSize: concurrentCalls,
		MaxHeartbeatThrottleInterval:       o.Timing.Heartbeat / 3,
		DisableWorkflowWorker:              o.Only == "activities",
		LocalActivityWorkerOnly:            o.Only == "workflows",
		DeploymentOptions:                  a.versioning(),
	})
	workers := []worker.Worker{w}
	if o.Only != "activities" {
		w.RegisterWorkflowWithOptions(workflows.New(o.Timing, nil).Run, workflow.RegisterOptions{Name: history.WorkflowType})
	}
	if o.Only == "workflows" {
		return workers, nil
	}
	deps, err := a.dependencies(ctx, c, beats)
	if err != nil {
		return nil, err
	}
	acts := activities.New(deps)
	acts.Register(w)
	for _, p := range a.limitedProviders() {
		w := worker.New(c, p.queue, worker.Options{
			WorkerStopTimeout:                  a.stopTimeout(),
			MaxConcurrentActivityExecutionSize: concurrentCalls,
			MaxHeartbeatThrottleInterval:       o.Timing.Heartbeat / 3,
			TaskQueueActivitiesPerSecond:       p.perSecond,
			DisableWorkflowWorker:              true,
			DeploymentOptions:                  a.versioning(),
		})
		acts.Register(w)
		workers = append(workers, w)
	}
	return workers, nil
}

// project runs the projector beside the worker. The returned function stops it
// after one last round, so that what the worker did at its end is in the mirror.
func (a *App) project(ctx context.Context, c client.Client, namespace string, dirty *projector.Dirty) (stop func(), err error) {
	mirror, _, err := a.Store(ctx)
	if err != nil {
		return nil, err
	}
	p := projector.New(a.runsOf(c, namespace), mirror, dirty, projector.Options{Log: a.env.Log, Name: processName()})
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

// processName tells an operator which process sweeps.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:6])
}

// lastRound bounds how long a stopping worker still projects.
const lastRound = 3 * time.Second
