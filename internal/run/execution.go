package run

// ExecutionState says what really happened; it is empty until something did.
type ExecutionState string

// The execution states, the one that decides a run's first.
const (
	StateFailed           ExecutionState = "failed"
	StateDegradedExecuted ExecutionState = "degraded-executed"
	StateExecuted         ExecutionState = "executed"
	StateAwaitingHost     ExecutionState = "awaiting-host"
	StatePrepared         ExecutionState = "prepared"
)

// ExecutionStates lists them in the order of precedence: a run's state is the
// first of these that any of its tasks has.
func ExecutionStates() []ExecutionState {
	return []ExecutionState{StateFailed, StateDegradedExecuted, StateExecuted, StateAwaitingHost, StatePrepared}
}

func (r *Record) foldExecutionState() ExecutionState {
	for _, state := range ExecutionStates() {
		for i := range r.Tasks {
			if r.Tasks[i].ExecutionState == state {
				return state
			}
		}
	}
	return ""
}

// Semantics says in one sentence who executed a run whose tasks have the
// given backends, so that no reader takes a prepared prompt for an answer.
func Semantics(workerBackend string) string {
	switch workerBackend {
	case string(BackendInline):
		return "Inline prepares prompts and does not reason: nothing was sent to a model."
	case string(BackendProvider):
		return "Provider output is the model's own, as the provider returned it."
	case string(BackendHost):
		return "Host output is host-reported: the calling agent executed the prompts in its own session."
	case "mixed":
		return "Tasks were executed by different backends; each task's executor says by which."
	}
	return ""
}

func foldBackend(tasks []Task) string {
	if len(tasks) == 0 {
		return ""
	}
	first := tasks[0].Backend
	for i := range tasks {
		if tasks[i].Backend != first {
			return "mixed"
		}
	}
	return string(first)
}
