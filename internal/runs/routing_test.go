package runs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/runs"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func TestWhoServesARun(t *testing.T) {
	t.Parallel()
	none, one, two := runs.Version{}, runs.Version{Deployment: "tutti", Build: "1"}, runs.Version{Deployment: "tutti", Build: "2"}
	other := runs.Version{Deployment: "other", Build: "1"}
	for name, c := range map[string]struct {
		routing runs.Routing
		polled  []runs.Version
		pinned  runs.Version
		want    bool
	}{
		"without deployments":                 {polled: []runs.Version{none}, want: true},
		"nobody":                              {},
		"no build is current":                 {polled: []runs.Version{one}},
		"the current build":                   {routing: runs.Routing{Current: one}, polled: []runs.Version{one}, want: true},
		"another build":                       {routing: runs.Routing{Current: one}, polled: []runs.Version{two, none}},
		"a ramp":                              {routing: runs.Routing{Current: one, Ramping: two, Percentage: 5}, polled: []runs.Version{two}, want: true},
		"a ramp of nothing":                   {routing: runs.Routing{Current: one, Ramping: two}, polled: []runs.Version{two}},
		"a ramp to those without one":         {routing: runs.Routing{Current: one, Percentage: 5}, polled: []runs.Version{none}, want: true},
		"pinned":                              {routing: runs.Routing{Current: two}, polled: []runs.Version{two, one}, pinned: one, want: true},
		"pinned to whom nobody is":            {routing: runs.Routing{Current: two}, polled: []runs.Version{two}, pinned: one},
		"pinned to a namesake":                {routing: runs.Routing{Current: other}, polled: []runs.Version{other}, pinned: one},
		"pinned, and nobody has a deployment": {polled: []runs.Version{none}, pinned: one},
	} {
		for _, v := range c.polled {
			c.routing.Pollers = append(c.routing.Pollers, runs.Poller{Version: v})
		}
		require.Equal(t, c.want, c.routing.Serves(c.pinned), name)
	}
	require.Equal(t, "build 1 of deployment tutti", one.String())
	require.Equal(t, "a worker without a deployment", none.String())
}

// A pin stands in Temporal from the start on, before any worker comes, and is no
// part of the request: the same key with another pin is the same run.
func TestAPinnedRunIsListedAsOne(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pinned, free := wish("default", "pinned", "a"), wish("default", "free", "b")
	pinned.Pin = runs.Version{Deployment: "tutti", Build: "1.0"}
	id, other := s.start(pinned).RunID, s.start(free).RunID
	pinned.Pin.Build = "2.0"
	again := s.start(pinned)
	require.True(t, again.Deduplicated)
	require.Equal(t, id, again.RunID)

	v, err := s.runs.Pinned(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, runs.Version{Deployment: "tutti", Build: "1.0"}, v)
	v, err = s.runs.Pinned(t.Context(), other)
	require.NoError(t, err)
	require.True(t, v.IsZero())
	_, err = s.runs.Pinned(t.Context(), "run-0000000000000000")
	require.ErrorIs(t, err, runs.ErrNotFound)

	s.listed(2)
	testenv.Eventually(t, patience, "the pinned run is listed", func() error {
		var listed []string
		err := s.runs.OpenPinnedRuns(t.Context(), func(page []runs.Listed) error {
			for _, l := range page {
				listed = append(listed, l.RunID)
			}
			return nil
		})
		if err == nil && (len(listed) != 1 || listed[0] != id) {
			err = fmt.Errorf("listed are %v", listed)
		}
		return err
	})
	routing, err := s.runs.Routing(t.Context())
	require.NoError(t, err)
	require.Equal(t, runs.Routing{Pollers: []runs.Poller{}}, routing)
}
