package app

import (
	"context"
	"time"

	"github.com/tutti-dev/tutti/internal/projector"
	"github.com/tutti-dev/tutti/internal/telemetry"
)

// serveMetrics tells a monitoring system how far the mirror is behind. Without an
// address it serves nothing.
func (a *App) serveMetrics(ctx context.Context, address string, dirty *projector.Dirty) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	s, err := telemetry.Serve(ctx, address,
		telemetry.Gauge{
			Name: "tutti_projection_dirty_runs", Help: "Runs that have changed and are not in the mirror yet, as far as this process knows.",
			Read: func() float64 { return float64(dirty.Len()) },
		},
		telemetry.Gauge{
			Name: "tutti_projection_lag_seconds", Help: "How long the run has waited for the mirror that has waited longest.",
			Read: func() float64 { return dirty.Lag(time.Now()).Seconds() },
		})
	if err != nil {
		return nil, &ConfigError{Err: err}
	}
	a.env.Log.Info("metrics", "address", s.Address())
	return func() {
		if err := s.Close(); err != nil {
			a.env.Log.Debug("the metrics endpoint did not close", "error", err)
		}
	}, nil
}
