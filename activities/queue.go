package activities

import (
	"context"

	"github.com/tutti-dev/tutti/internal/history"
)

// InspectQueue counts the workers that poll a task queue for activities.
func (a *Activities) InspectQueue(ctx context.Context, in history.QueueInput) (history.QueueResult, error) {
	pollers, err := a.d.Queues.ActivityPollers(ctx, in.Queue)
	if err != nil {
		return history.QueueResult{}, err
	}
	return history.QueueResult{Pollers: pollers}, nil
}
