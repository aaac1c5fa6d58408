package app_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/app"
	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
	"github.com/tutti-dev/tutti/workflows"
)

// polling starts a worker of this process and returns what it says of itself.
func (s *surroundings) polling(build string, makeCurrent bool) app.Polling {
	s.t.Helper()
	s.variables["TUTTI_DEPLOYMENT_NAME"], s.variables["TUTTI_DEPLOYMENT_BUILD_ID"] = "tutti", build
	ctx, stop := context.WithCancel(s.t.Context())
	working, ready := make(chan error, 1), make(chan app.Polling, 1)
	worker := s.open()
	go func() {
		working <- worker.Worker(ctx, app.WorkerOptions{
			Timing: workflows.DevTiming(), MakeCurrent: makeCurrent, Ready: func(p app.Polling) { ready <- p },
		})
	}()
	s.t.Cleanup(func() {
		stop()
		require.NoError(s.t, <-working)
	})
	select {
	case p := <-ready:
		return p
	case err := <-working:
		working <- nil
		require.NoError(s.t, err, "the worker did not start")
		return app.Polling{}
	}
}

// The development server's worker makes its build current; any other one says
// how that is done, and leaves it.
func TestWhichBuildIsCurrent(t *testing.T) {
	t.Parallel()
	s := newSurroundings(t)
	s.useTemporal(testenv.Namespace(t))
	first := s.polling("1", true)
	require.Equal(t, "polls task queue tutti as build 1 of deployment tutti", first.String())
	require.Equal(t, runs.Version{Deployment: "tutti", Build: "1"}, first.Routing.Current)
	require.Empty(t, first.Advice())
	second := s.polling("2", false)
	require.Equal(t, "build 1 of deployment tutti is current, so only runs pinned to this one come here; to send it all others, "+
		"run: temporal worker deployment set-current-version --deployment-name tutti --build-id 2", second.Advice())
	testenv.Eventually(t, patience, "Temporal lists the pollers", func() error {
		if said := finding(t, s.examine(doctor.Options{}), "deployment").Message; said != "build 1 of deployment tutti is current and is polled" {
			return errors.New(said)
		}
		return nil
	})
}

func TestAdviceToAWorker(t *testing.T) {
	t.Parallel()
	one, two := runs.Version{Deployment: "tutti", Build: "1"}, runs.Version{Deployment: "tutti", Build: "it's 2"}
	require.Empty(t, app.Polling{Queue: "q", Known: true}.Advice(), "without a deployment there is nothing to say")
	require.Equal(t, "polls task queue q", app.Polling{Queue: "q", Known: true}.String())
	require.Empty(t, app.Polling{Version: one}.Advice(), "what is not known is not said")
	require.Empty(t, app.Polling{Version: one, Known: true, Routing: runs.Routing{Current: two, Ramping: one, Percentage: 1}}.Advice())
	require.Contains(t, app.Polling{Version: two, Known: true}.Advice(),
		`no build of deployment tutti is current, so only runs pinned to this one come here; to send it all others, `+
			`run: temporal worker deployment set-current-version --deployment-name tutti --build-id 'it'\''s 2'`)
}
