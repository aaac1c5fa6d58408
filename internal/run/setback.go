package run

// What follows when a task's activity ended without a result: another model, a
// wait, or a failed task.

const (
	// longestRetryMS is the longest advised wait that Temporal's retry waits for.
	longestRetryMS = 60_000
	// firstDeferralMS and lastDeferralMS bound the wait for a store that is away.
	firstDeferralMS = 30_000
	lastDeferralMS  = 300_000
)

// isTransient says whether another model may do what this one could not.
func isTransient(c Code) bool {
	return c == CodeRateLimited || c == CodeServerError || c == CodeTimeout
}

// Choice is the model that a task asks now.
func (r *Record) Choice(t *Task) ModelChoice {
	if r.plan == nil || t.Seq < 1 || t.Seq > len(r.plan.Tasks) {
		return ModelChoice{}
	}
	planned := &r.plan.Tasks[t.Seq-1]
	if n := t.turns.fallback; n > 0 && n <= len(planned.Fallbacks) {
		return planned.Fallbacks[n-1]
	}
	return planned.ModelChoice
}

func (r *Record) errored(t *Task, e TaskErrored) error {
	t.setPrompt(e.Prompt)
	t.settle(e.Usage, e.Charge)
	choice := r.Choice(t)
	switch {
	case e.Failure.Code == CodeContent:
		// Such an attempt asked nobody, so the call keeps its number and its attempts.
		return t.park(CodeContent, t.deferral())
	case isTransient(e.Failure.Code) && r.hasFallback(t):
		t.turns.fallback++
		t.turns.again, t.turns.scheduled = true, 0
		return nil
	case e.Failure.Code == CodeRateLimited && mayPark(e.Failure, choice.Limits):
		return t.park(CodeRateLimited, *e.Failure.RetryAfterMS)
	}
	failure := e.Failure
	t.Error, t.ExecutionState = &failure, StateFailed
	t.Executor = executorOfError(t.Backend)
	return t.goTo(TaskFailed)
}

// deferral is how long to wait for a store that is away, this time.
func (t *Task) deferral() (waitMS int64) {
	wait := min(int64(firstDeferralMS)<<min(t.turns.deferrals, 10), lastDeferralMS)
	t.turns.deferrals++
	return wait
}

// deferContent waits with a raw result until the store is back. A run that is
// being cancelled does not wait: the text stands in its history.
func (r *Record) deferContent(t *Task) {
	if r.CancelRequested {
		t.leaveInHistory()
		return
	}
	t.turns.wait, t.turns.waiting = t.deferral(), true
}

func (t *Task) leaveInHistory() {
	t.turns.storing, t.turns.waiting = false, false
	t.Warnings = append(t.Warnings, "the result could not be stored before the run was cancelled; its text stands only in the run's history in Temporal")
}

func (r *Record) hasFallback(t *Task) bool {
	return r.plan != nil && t.turns.fallback < len(r.plan.Tasks[t.Seq-1].Fallbacks)
}

func mayPark(f Failure, l Limits) bool {
	return f.RetryAfterMS != nil && *f.RetryAfterMS > longestRetryMS && *f.RetryAfterMS <= l.ParkMS
}

func (t *Task) park(why Code, waitMS int64) error {
	t.turns.wait = waitMS
	if err := t.goTo(TaskParked); err != nil {
		return err
	}
	t.ParkedFor = why
	return nil
}

// inspected decides about a task that nobody took from its queue: without a
// worker there it would wait for ever, with one it waits on.
func (r *Record) inspected(t *Task, e QueueInspected) error {
	t.turns.inspect = false
	if e.Pollers > 0 {
		t.turns.again = true
		return nil
	}
	t.settle(Usage{}, Charge{})
	queue := r.Choice(t).Queue
	t.Error = &Failure{
		Code: CodeModelUnresolved, Message: "no worker polls task queue " + queue,
		Remediation: "start a worker whose configuration has this provider with callsPerSecond, then submit again",
	}
	t.ExecutionState, t.Executor = StateFailed, executorOfError(t.Backend)
	return t.goTo(TaskFailed)
}

// FallenBack lists the models that failed before the one that is asked now.
func (r *Record) FallenBack(t *Task) []string {
	if t.turns.fallback == 0 || r.plan == nil {
		return nil
	}
	planned := &r.plan.Tasks[t.Seq-1]
	names := []string{planned.Name()}
	for _, f := range planned.Fallbacks[:t.turns.fallback-1] {
		names = append(names, f.Name())
	}
	return names
}
