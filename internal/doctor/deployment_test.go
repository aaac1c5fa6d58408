package doctor_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/config"
	"github.com/tutti-dev/tutti/internal/doctor"
	"github.com/tutti-dev/tutti/internal/runs"
)

func version(build string) runs.Version { return runs.Version{Deployment: "tutti", Build: build} }

// polledBy are workers of these builds; "" is one without a deployment.
func polledBy(age time.Duration, builds ...string) []runs.Poller {
	var pollers []runs.Poller
	for _, b := range builds {
		p := runs.Poller{Identity: "worker of " + b, LastSeen: now().Add(-age)}
		if b != "" {
			p.Version = version(b)
		}
		pollers = append(pollers, p)
	}
	return pollers
}

func TestTheCurrentBuild(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		configured string
		routing    runs.Routing
		level      doctor.Level
		message    string
		next       string
	}{
		"current and polled": {"1", runs.Routing{Current: version("1"), Pollers: polledBy(0, "1")}, doctor.OK, "build 1 of deployment tutti is current and is polled", ""},
		"a ramp": {
			"1",
			runs.Routing{Current: version("1"), Ramping: version("2"), Percentage: 12.5, Pollers: polledBy(0, "1", "2")},
			doctor.OK, "; 12.5% of the runs go to build 2 of deployment tutti", "",
		},
		"current and not polled":   {"", runs.Routing{Current: version("1"), Pollers: polledBy(0, "2")}, doctor.Warning, "nobody polls as build 1 of deployment tutti, which is current, so runs", "or make another one current: `make current 2`"},
		"current and gone":         {"1", runs.Routing{Current: version("1"), Pollers: polledBy(2*time.Minute, "1")}, doctor.Warning, "nobody polls as build 1", "start `tutti worker` as that build, or make another one current"},
		"none current":             {"1", runs.Routing{Pollers: polledBy(0, "1")}, doctor.Warning, "no build is current and every worker polls as one", "run `make current 1`"},
		"none current, not ours":   {"", runs.Routing{Pollers: polledBy(0, "7")}, doctor.Warning, "no build is current and every worker polls as one", "run `make current 7`"},
		"none current, other ones": {"9", runs.Routing{Pollers: polledBy(0, "", "8")}, doctor.Advice, "workers without a deployment get all runs that are not pinned", "`make current 8`"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := healthy()
			p.server.routing = c.routing
			if c.configured != "" {
				p.subject.Config.Deployment = config.Deployment{Name: "tutti", BuildID: c.configured}
			}
			report := p.examine(t, doctor.Options{})
			f := only(t, report, "deployment")
			require.Equal(t, c.level, f.Level)
			require.Contains(t, f.Message, c.message)
			require.Contains(t, f.NextStep, c.next)
			require.Equal(t, doctor.Healthy, report.Outcome())
		})
	}
}

func TestPinnedRuns(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.server.routing = runs.Routing{Current: version("2"), Pollers: append(polledBy(0, "2", "3"), polledBy(2*time.Minute, "1")...)}
	p.server.pinned = []doctor.PinnedRun{{"run-1", version("1")}, {"run-2", version("2")}, {"run-3", version("3")}}
	p.server.morePinned = true
	found := of(p.examine(t, doctor.Options{}), "deployment")
	require.Len(t, found, 4)
	require.Equal(t, doctor.Warning, found[1].Level)
	require.Equal(t, "run-1 is pinned to build 1 of deployment tutti, which nobody polls, so it waits", found[1].Message)
	require.Contains(t, found[1].NextStep, "start `tutti worker` as that build")
	require.Contains(t, found[1].NextStep, "`temporal workflow update-options --workflow-id run-1 --versioning-override-behavior unspecified`")
	require.Equal(t, "2 open runs are pinned to builds that are polled", found[2].Message)
	require.Contains(t, found[3].Message, "newest 50")
}

func TestDeploymentsThatNobodyUsesOrShows(t *testing.T) {
	t.Parallel()
	p := healthy()
	p.server.routing.Pollers = polledBy(0, "")
	require.Empty(t, of(p.examine(t, doctor.Options{}), "deployment"))
	p.server.pinnedGone = errors.Join(doctor.ErrNotPermitted, errors.New("denied"))
	require.Equal(t, doctor.Advice, only(t, p.examine(t, doctor.Options{}), "deployment").Level)
	p.server.routingGone = errors.New("unavailable")
	require.Empty(t, of(p.examine(t, doctor.Options{}), "deployment"), "the workers' check says it")
}
