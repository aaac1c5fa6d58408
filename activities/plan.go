package activities

import (
	"context"

	"github.com/tutti-dev/tutti/internal/history"
)

// ResolvePlan makes the plan of a run that was started by hand, with request
// and chain alone.
func (a *Activities) ResolvePlan(ctx context.Context, in history.RunInput) (history.PlanResult, error) {
	result, err := a.d.Planner.ResolvePlan(ctx, in)
	if err != nil {
		return history.PlanResult{}, leave(ctx, err, history.FailureDetail{})
	}
	return result, nil
}
