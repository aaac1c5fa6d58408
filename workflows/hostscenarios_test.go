package workflows_test

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
)

// hostScenarios are the runs of the host backend whose histories are recorded.
func hostScenarios() []scenario {
	list := []scenario{
		{name: "host-chain", play: playHostChain},
		{name: "host-signal", play: playHostSignals},
		{name: "host-long-result", play: playLongResult},
		{name: "host-timeout", play: func(s *stage) string {
			s.work()
			plan := listPlan(run.BackendHost, "architect", "engineer")
			plan.HostTimeoutMS = time.Second.Milliseconds()
			return s.start(plan)
		}},
		{name: "host-mixed", play: playHostMixed},
		{name: "host-in-time", play: playHostInTime},
		{name: "host-cancelled", play: func(s *stage) string {
			s.work()
			id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
			s.until(id, "architect awaits", awaits("architect"))
			_, err := s.claim(id, run.ClaimRequest{Holder: "alice/one"})
			require.NoError(s.t, err)
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			return id
		}},
	}
	for name, race := range hostRaces() {
		list = append(list, scenario{name: "host-race-" + name, play: func(s *stage) string {
			id := race.play(s)
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id)) // A recorded history is a whole one.
			return id
		}, race: true})
	}
	return list
}

// playHostChain has claims, a takeover, a fenced result, a duplicate and a failure.
func playHostChain(s *stage) string {
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer", "reviewer"))
	s.until(id, "architect awaits", awaits("architect"))
	first, err := s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "alice/one"})
	require.NoError(s.t, err)
	second, err := s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "alice/two", Takeover: true})
	require.NoError(s.t, err)
	late, good := done("architect", "late"), done("architect", "the design")
	late.ClaimToken, good.ClaimToken = first.Token, second.Token
	_, err = s.submit(id, late)
	requireCode(s.t, run.CodeHostClaimLost, err)
	_, err = s.submit(id, good)
	require.NoError(s.t, err)
	s.until(id, "engineer awaits", awaits("engineer"))
	s.signal(id, good)
	_, err = s.submit(id, done("engineer", "the code"))
	require.NoError(s.t, err)
	s.until(id, "reviewer awaits", awaits("reviewer"))
	_, err = s.submit(id, history.HostResult{TaskID: "reviewer", Outcome: run.OutcomeFailed, Error: "no idea"})
	require.NoError(s.t, err)
	return id
}

func playHostSignals(s *stage) string {
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	s.signal(id, done("nobody", "x"))
	s.signal(id, "not even an object")
	s.signal(id, done("architect", "by signal"))
	s.until(id, "engineer awaits", awaits("engineer"))
	s.signal(id, done("engineer", "by signal"))
	return id
}

// playHostInTime has a timer for each wait, which a result ends by either door.
func playHostInTime(s *stage) string {
	s.work()
	plan := listPlan(run.BackendHost, "architect", "engineer")
	plan.HostTimeoutMS = time.Hour.Milliseconds()
	id := s.start(plan)
	s.until(id, "architect awaits", awaits("architect"))
	s.signal(id, done("architect", strings.Repeat("long signal\n", 1000)))
	s.until(id, "engineer awaits", awaits("engineer"))
	_, err := s.submit(id, done("engineer", "by update"))
	require.NoError(s.t, err)
	return id
}

func playLongResult(s *stage) string {
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	_, err := s.submit(id, done("architect", strings.Repeat("long result\n", 1000)))
	require.NoError(s.t, err)
	s.until(id, "engineer awaits", awaits("engineer"))
	s.signal(id, done("engineer", strings.Repeat("long signal\n", 1000)))
	return id
}

func playHostMixed(s *stage) string {
	s.work()
	plan := listPlan(run.BackendHost, "architect", "engineer", "reviewer")
	plan.Tasks[0].Backend, plan.Tasks[0].Provider, plan.Tasks[0].Model = run.BackendProvider, "demo", "echo"
	plan.Tasks[2].Backend = run.BackendInline
	plan.Specialists[1].Tools = []string{"Read"}
	plan.HostTimeoutMS = time.Hour.Milliseconds()
	id := s.start(plan)
	s.until(id, "engineer awaits", awaits("engineer"))
	_, err := s.submit(id, done("engineer", "the code"))
	require.NoError(s.t, err)
	return id
}
