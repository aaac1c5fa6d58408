package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func rateLimited(id string, retryAfter time.Duration) Stamped {
	ms := retryAfter.Milliseconds()
	return Stamped{Event: TaskErrored{OfTask: OfTask{id}, Failure: Failure{Code: CodeRateLimited, RetryAfterMS: &ms}}}
}

func errored(id string, code Code) Stamped {
	return Stamped{Event: TaskErrored{OfTask: OfTask{id}, Failure: Failure{Code: code}}}
}

func TestALongLimitParksTheTaskWhereThatIsAllowed(t *testing.T) {
	t.Parallel()
	limits := ModelChoice{Limits: Limits{ParkMS: (24 * time.Hour).Milliseconds()}}
	r := opened(t, PlannedTask{ID: "a", ModelChoice: limits}, PlannedTask{ID: "b", Needs: []string{"a"}})
	schedule(t, r, "a")
	d, _, err := r.Turn([]Stamped{rateLimited("a", time.Hour)}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, Decision{Park: []Park{{TaskID: "a", Wait: time.Hour}}}, d)
	require.Equal(t, TaskParked, r.Tasks[0].Status)
	require.Equal(t, CodeRateLimited, r.Tasks[0].ParkedFor)
	require.Equal(t, Running, r.Status)

	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, r.Apply(TimerSet{OfTask: OfTask{"a"}, ResumeAt: at}, noTime))
	require.Equal(t, at, *r.Tasks[0].ResumeAt)

	d, _, err = r.Turn([]Stamped{{Event: TaskResumed{OfTask: OfTask{"a"}}}}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, Decision{Start: []string{"a"}}, d)
	schedule(t, r, "a")
	require.Equal(t, TaskRunning, r.Tasks[0].Status)
	require.Nil(t, r.Tasks[0].ResumeAt)
	require.Empty(t, r.Tasks[0].ParkedFor)
}

func TestALimitThatMayNotBeWaitedForFailsTheTask(t *testing.T) {
	t.Parallel()
	day := ModelChoice{Limits: Limits{ParkMS: (24 * time.Hour).Milliseconds()}}
	for _, c := range []struct {
		choice ModelChoice
		wait   time.Duration
	}{{ModelChoice{}, time.Hour}, {day, 25 * time.Hour}, {day, time.Minute}} {
		r := opened(t, PlannedTask{ID: "a", ModelChoice: c.choice})
		schedule(t, r, "a")
		_, _, err := r.Turn([]Stamped{rateLimited("a", c.wait)}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, TaskFailed, r.Tasks[0].Status)
		require.Equal(t, c.wait.Milliseconds(), *r.Tasks[0].Error.RetryAfterMS)
	}
}

func TestAStoreThatIsAwayIsWaitedForWithoutLimitAndWithoutUsingAttempts(t *testing.T) {
	t.Parallel()
	r := opened(t, PlannedTask{ID: "a"})
	for _, seconds := range []int{30, 60, 120, 240, 300, 300} {
		schedule(t, r, "a")
		d, _, err := r.Turn([]Stamped{errored("a", CodeContent)}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, []Park{{TaskID: "a", Wait: time.Duration(seconds) * time.Second}}, d.Park)
		d, _, err = r.Turn([]Stamped{{Event: TaskResumed{OfTask: OfTask{"a"}}}}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, d.Start)
	}
	require.Nil(t, r.Tasks[0].Error)
}

func TestFallbackModelsAreAskedAfterATransientFailureAndNeverAfterARefusal(t *testing.T) {
	t.Parallel()
	planned := PlannedTask{
		ID: "a", ModelChoice: ModelChoice{Provider: "p", Model: "one"},
		Fallbacks: []ModelChoice{{Provider: "p", Model: "two"}, {Provider: "q", Model: "three"}},
	}
	r := opened(t, planned)
	for i, code := range []Code{CodeServerError, CodeTimeout} {
		schedule(t, r, "a")
		d, _, err := r.Turn([]Stamped{errored("a", code)}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, d.Start)
		require.Equal(t, planned.Fallbacks[i].Name(), r.Choice(&r.Tasks[0]).Name())
		require.Equal(t, TaskRunning, r.Tasks[0].Status)
	}
	require.Equal(t, []string{"p/one", "p/two"}, r.FallenBack(&r.Tasks[0]))
	schedule(t, r, "a")
	require.Equal(t, "three", r.Tasks[0].Model)
	_, _, err := r.Turn([]Stamped{errored("a", CodeServerError)}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, TaskFailed, r.Tasks[0].Status, "no model is left")

	for _, code := range []Code{CodeAuth, CodeFiltered, CodeNoCredits, CodeMalformed, CodeBudget, CodeInternal} {
		r := opened(t, planned)
		schedule(t, r, "a")
		_, _, err := r.Turn([]Stamped{errored("a", code)}, noTime, noTime)
		require.NoError(t, err)
		require.Equal(t, TaskFailed, r.Tasks[0].Status, code)
	}
}

func TestATaskThatNobodyTakesWaitsOnlyWhereSomebodyPolls(t *testing.T) {
	t.Parallel()
	unclaimed := Stamped{Event: TaskUnclaimed{OfTask: OfTask{"a"}}}
	planned := PlannedTask{ID: "a", ModelChoice: ModelChoice{Queue: "tutti-provider-p"}}
	r := opened(t, planned)
	schedule(t, r, "a")
	d, _, err := r.Turn([]Stamped{unclaimed}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, Decision{Inspect: []string{"a"}}, d)
	d, _, err = r.Turn([]Stamped{{Event: QueueInspected{OfTask: OfTask{"a"}, Pollers: 1}}}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, Decision{Start: []string{"a"}}, d)
	schedule(t, r, "a")
	_, _, err = r.Turn([]Stamped{unclaimed}, noTime, noTime)
	require.NoError(t, err)
	_, _, err = r.Turn([]Stamped{{Event: QueueInspected{OfTask: OfTask{"a"}}}}, noTime, noTime)
	require.NoError(t, err)
	require.Equal(t, CodeModelUnresolved, r.Tasks[0].Error.Code)
	require.Contains(t, r.Tasks[0].Error.Message, "tutti-provider-p")
}
