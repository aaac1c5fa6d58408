package workflows_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/tutti-dev/tutti/internal/history"
	"github.com/tutti-dev/tutti/internal/run"
	"github.com/tutti-dev/tutti/internal/testenv"
)

func (s *stage) submit(runID string, in history.HostResult) (history.HostVerdict, error) {
	s.t.Helper()
	var verdict history.HostVerdict
	handle, err := s.client.UpdateWorkflow(s.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: runID, UpdateID: in.UpdateID(), UpdateName: history.UpdateSubmit,
		Args: []any{in}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return verdict, err
	}
	return verdict, handle.Get(s.t.Context(), &verdict)
}

func (s *stage) claim(runID string, in run.ClaimRequest) (run.Claim, error) {
	s.t.Helper()
	var claim run.Claim
	handle, err := s.client.UpdateWorkflow(s.t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: runID, UpdateName: history.UpdateClaim,
		Args: []any{in}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return claim, err
	}
	return claim, handle.Get(s.t.Context(), &claim)
}

func done(taskID, output string) history.HostResult {
	return history.HostResult{TaskID: taskID, Outcome: run.OutcomeDone, Output: output, HostRole: "claude-code"}
}

func requireCode(t *testing.T, code run.Code, err error) {
	t.Helper()
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.Equal(t, string(code), app.Type())
	var rejected run.Rejection
	require.NoError(t, app.Details(&rejected))
	require.Equal(t, code, rejected.Code)
	require.NotEmpty(t, rejected.Remediation)
}

func awaits(ids ...string) func(run.Record) bool {
	return func(r run.Record) bool {
		for _, id := range ids {
			if !taskIs(id, run.TaskAwaitingHost)(r) {
				return false
			}
		}
		return true
	}
}

func TestAHostChainIsExecutedByUpdatesAndEachPromptHoldsTheEarlierResults(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	record := s.until(id, "architect awaits", awaits("architect"))
	require.Equal(t, run.AwaitingHost, record.Status)
	require.Equal(t, run.StateAwaitingHost, record.ExecutionState)
	require.Equal(t, "do architect", s.query(id).Tasks[0].HostPrompt.User, "the Web UI shows the prompt")

	verdict, err := s.submit(id, done("architect", "the design"))
	require.NoError(t, err)
	require.True(t, verdict.Accepted)
	settled, err := s.runs.Settle(t.Context(), "default", id, patience)
	require.NoError(t, err)
	require.True(t, awaits("engineer")(settled.Record), "what was true before the submit settles nothing")
	require.Equal(t, "the design", s.script.inputs["engineer"].Upstream[0].Output.Inline)
	_, err = s.submit(id, done("engineer", "the code"))
	require.NoError(t, err)

	record = s.finished(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "host:claude-code", record.Tasks[1].Executor)
	require.Equal(t, run.ProvenanceHost, record.Tasks[1].ProvenanceSource)
	require.Equal(t, "claude-code", record.HostRole)
	require.Nil(t, record.Tasks[1].HostPrompt)
	s.requireAgreement(id)

	_, err = s.submit(id, done("engineer", "the code"))
	require.NoError(t, err, "the same update is answered with the first verdict, also after the close")
}

// H4: the codes in their order. A rejected update adds no event.
func TestARejectedUpdateSaysWhyAndAddsNoEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	before := len(s.history(id))
	long := strings.Repeat("x", run.MaxRawResult+1)
	cases := []struct {
		code run.Code
		in   history.HostResult
	}{
		{run.CodeHostResultInvalid, history.HostResult{Outcome: "done", Output: "x"}},
		{run.CodeHostResultInvalid, history.HostResult{TaskID: "architect", Outcome: "maybe", Output: "x"}},
		{run.CodeHostResultInvalid, done("architect", "a\x00b")},
		{run.CodeTaskNotFound, done("nobody", "x")},
		{run.CodeTaskNotAwaiting, done("engineer", "x")},
		{run.CodeHostEmpty, done("architect", " \n")},
		{run.CodeHostTooLarge, done("architect", long)},
		{run.CodeHostPrompt, history.HostResult{TaskID: "architect", Outcome: "done", Output: "x", PromptSHA256: "other"}},
	}
	for _, c := range cases {
		_, err := s.submit(id, c.in)
		requireCode(t, c.code, err)
	}
	require.Len(t, s.history(id), before)
	testenv.Seen(t, "%d updates refused with their codes by the real server; %d events before and %d after", len(cases), before, len(s.history(id)))
}

// H1: ten hosts race for one task.
func TestOfTenHostsOneIsAccepted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	var group sync.WaitGroup
	errs := make([]error, 10)
	for i := range errs {
		group.Add(1)
		go func() {
			defer group.Done()
			_, errs[i] = s.submit(id, done("architect", fmt.Sprint("result ", i)))
		}()
	}
	group.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
			continue
		}
		requireCode(t, run.CodeHostRecorded, err)
	}
	require.Equal(t, 1, accepted)
	s.until(id, "engineer awaits", awaits("engineer"))
	s.requireAgreement(id)
	testenv.Seen(t, "%d raw updates at once: %d accepted, the others told %s", len(errs), accepted, run.CodeHostRecorded)
}

// H4: a rejected signal stands on the record.
func TestASignalCountsAndARejectedOneStandsOnTheRecord(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect"))
	s.until(id, "architect awaits", awaits("architect"))
	s.signal(id, done("nobody", "x"))
	s.signal(id, "not even an object")
	s.signal(id, history.HostResult{TaskID: "architect", Outcome: run.OutcomeDone, Output: "by signal"})
	record := s.finished(id)
	require.Equal(t, run.Completed, record.Status)
	require.Equal(t, "host:signal", record.Tasks[0].Executor)
	require.Equal(t, []run.RejectedSignal{
		{TaskID: "nobody", Code: run.CodeTaskNotFound}, {Code: run.CodeHostResultInvalid},
	}, record.RejectedSignals)
	s.requireAgreement(id)
	testenv.Seen(t, "%d refused signals stand on the record, the good one counted", len(record.RejectedSignals))
}

// H3: claim, takeover, and the older token loses.
func TestAClaimFencesTheOlderHolderOut(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect"))
	s.until(id, "architect awaits", awaits("architect"))
	first, err := s.claim(id, run.ClaimRequest{Holder: "alice/one"})
	require.NoError(t, err)
	again, err := s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "alice/one"})
	require.NoError(t, err)
	require.Equal(t, first.Token, again.Token, "the same holder renews")
	_, err = s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "bob/one", Takeover: true})
	requireCode(t, run.CodeHostClaimHeld, err)
	_, err = s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "alice/two"})
	requireCode(t, run.CodeHostClaimHeld, err)
	second, err := s.claim(id, run.ClaimRequest{TaskID: "architect", Holder: "alice/two", Takeover: true})
	require.NoError(t, err)
	require.Greater(t, second.Token, first.Token)

	late := done("architect", "late")
	late.ClaimToken = first.Token
	_, err = s.submit(id, late)
	requireCode(t, run.CodeHostClaimLost, err)
	_, err = s.submit(id, done("architect", "without a token"))
	requireCode(t, run.CodeHostClaimLost, err)
	good := done("architect", "in time")
	good.ClaimToken = second.Token
	_, err = s.submit(id, good)
	require.NoError(t, err)
	require.Equal(t, run.Completed, s.finished(id).Status)
	s.requireAgreement(id)
	testenv.Seen(t, "the older token %d and no token are refused with %s, token %d counts", first.Token, run.CodeHostClaimLost, second.Token)
}

func TestALongRawResultIsMovedIntoTheStoreBeforeAnythingSeesIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	id := s.start(listPlan(run.BackendHost, "architect", "engineer"))
	s.until(id, "architect awaits", awaits("architect"))
	text := strings.Repeat("y", 100<<10)
	_, err := s.submit(id, done("architect", text))
	require.NoError(t, err)
	record := s.until(id, "engineer awaits", awaits("engineer"))
	require.True(t, record.Tasks[0].OutputText().IsRef())
	require.True(t, s.script.inputs["engineer"].Upstream[0].Output.IsRef())
	require.Equal(t, text, s.script.stored["architect"])
	s.requireAgreement(id)
}

func TestTheHostTimeoutFailsTheTaskAndAResultStopsIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.work()
	plan := listPlan(run.BackendHost, "architect", "engineer")
	plan.HostTimeoutMS = time.Second.Milliseconds()
	id := s.start(plan)
	record := s.finished(id)
	require.Equal(t, run.CodeHostTimeout, record.Tasks[0].Error.Code)
	require.Equal(t, "host:error", record.Tasks[0].Executor)
	s.requireAgreement(id)

	plan.HostTimeoutMS = time.Minute.Milliseconds()
	id = s.start(plan)
	s.until(id, "architect awaits", awaits("architect"))
	_, err := s.submit(id, done("architect", "x"))
	require.NoError(t, err)
	s.until(id, "engineer awaits", awaits("engineer"))
	require.Equal(t, 1, kinds(s.history(id))["TimerCanceled"])
	require.NoError(t, s.runs.Cancel(t.Context(), id))
	require.Equal(t, run.Cancelled, s.finished(id).Status)
	s.requireAgreement(id)
}

// The forced races of the host backend: each pair lies in one workflow task.
func TestForcedHostRacesFoldLikeTheWorkflow(t *testing.T) {
	t.Parallel()
	for name, race := range hostRaces() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.requireAgreement(race.play(s))
		})
	}
}

type hostRace struct {
	// events happen while no workflow worker is there to see them.
	events func(s *stage, id string)
	// settled says that the worker has seen all of them.
	settled func(run.Record) bool
}

func (r hostRace) play(s *stage) (runID string) {
	stopWorkflows, _ := s.workApart()
	plan := listPlan(run.BackendHost, "a", "b", "c")
	plan.Tasks[1].Needs = nil
	id := s.start(plan)
	s.until(id, "a and b await", awaits("a", "b"))
	stopWorkflows()
	r.events(s, id)
	s.workflowsOnly()
	s.waitLater()
	s.until(id, "the race is over", r.settled)
	return id
}

func (s *stage) signal(runID string, v any) {
	s.t.Helper()
	require.NoError(s.t, s.client.SignalWorkflow(s.t.Context(), runID, "", history.SignalResult, v))
}

func hostRaces() map[string]hostRace {
	ended := func(r run.Record) bool { return r.FinishedAt != nil }
	return map[string]hostRace{
		"cancel-with-signal": {func(s *stage, id string) {
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			s.signal(id, done("a", "x"))
		}, ended},
		"cancel-with-update": {func(s *stage, id string) {
			require.NoError(s.t, s.runs.Cancel(s.t.Context(), id))
			s.later(func() { _, _ = s.submit(id, done("a", "x")) })
		}, ended},
		"signal-with-update": {func(s *stage, id string) {
			s.signal(id, done("a", "by signal"))
			s.later(func() { _, _ = s.submit(id, done("a", "by update")) })
		}, taskIs("a", run.TaskDone)},
		"completion-with-claim": {func(s *stage, id string) {
			s.signal(id, done("a", "x"))
			s.later(func() { _, _ = s.claim(id, run.ClaimRequest{Holder: "alice/one"}) })
		}, func(r run.Record) bool {
			// Updates come before signals: a claim that came in time fences the signal out.
			return len(r.RejectedSignals) > 0 || taskIs("a", run.TaskDone)(r)
		}},
		"two-updates": {func(s *stage, id string) {
			s.later(func() { _, _ = s.submit(id, done("a", "x")) })
			s.later(func() { _, _ = s.submit(id, done("b", "y")) })
		}, awaits("c")},
	}
}
