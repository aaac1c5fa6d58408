package app

import (
	"context"
	"fmt"
	"maps"
	"slices"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

// queues tells activities who polls a task queue.
type queues struct{ temporal client.Client }

// ActivityPollers implements activities.Queues.
func (q queues) ActivityPollers(ctx context.Context, queue string) (int, error) {
	d, err := q.temporal.DescribeTaskQueue(ctx, queue, enumspb.TASK_QUEUE_TYPE_ACTIVITY)
	if err != nil {
		return 0, fmt.Errorf("describe task queue %s: %w", queue, err)
	}
	return len(d.GetPollers()), nil
}

// limited is a provider whose rate holds across all workers, by a queue of its own.
type limited struct {
	queue     string
	perSecond float64
}

// limitedProviders lists them by the order of their names.
func (a *App) limitedProviders() (list []limited) {
	for _, name := range slices.Sorted(maps.Keys(a.Config.Providers)) {
		if rate := a.Config.Provider(name).CallsPerSecond; rate > 0 {
			list = append(list, limited{queue: queuePrefix + name, perSecond: rate})
		}
	}
	return list
}

// concurrency is the number of calls in flight per provider in this process.
func (a *App) concurrency() map[string]int {
	most := make(map[string]int)
	for name := range a.Config.Providers {
		if n := a.Config.Provider(name).Concurrency; n > 0 {
			most[name] = n
		}
	}
	return most
}
